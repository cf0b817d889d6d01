package io.rns.server.namespace;

import io.rns.api.AccessRules;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Caller;
import io.rns.api.EffectiveAccess;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.Anchors;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the caller of a request may change, and who owns what it makes. */
final class WritePermissions {
  private final Draft draft;
  private final Anchors anchors;
  /** Whose request is being applied. */
  private Caller caller = Caller.SERVICE;

  /** Permissions of the service. */
  WritePermissions(Draft draft, Anchors anchors) {
    this.draft = draft;
    this.anchors = anchors;
  }

  /** From now on requests of this caller are applied. */
  void applyAs(Caller by) {
    caller = by;
  }

  Caller caller() {
    return caller;
  }

  /** Why the caller may not use a right on an entry; null if it may. */
  @Nullable
  Refusal lacks(Right right, EffectiveAccess at, Target entry) {
    return draft.access()
        .lacks(right, at, entry, Math.max(0, entry.path().depth() - 1), () -> Resolution.path(draft, entry));
  }

  @Nullable
  Refusal mayNotAdd(EffectiveAccess at, Target entry, int depth) {
    return draft.access().lacks(Right.ADD, at, entry, depth, () -> Resolution.path(draft, entry));
  }

  /** Why the caller may not replace what there is of an entry; null if it may. */
  @Nullable
  Refusal mayNotReplace(EffectiveAccess at, Target entry) {
    // The answer has the entry.
    Refusal unread = lacks(Right.READ, at, entry);
    return unread != null ? unread : lacks(Right.CHANGE, at, entry);
  }

  /**
   * Metadata as they are kept of a new entry.
   *
   * @param at what holds in its directory
   */
  Outcome<Metadata> metadata(NewEntry item, EffectiveAccess at) {
    Target target = item.target();
    try {
      Optional<AccessRules> given = item.metadata().givenAccess();
      if (!item.isDirectory()) {
        return given.isPresent() ? Outcome.refused(notOfJunction(target)) : Outcome.done(item.metadata());
      }
      Refusal refusal = given.isPresent() ? lacks(Right.ADMIN, at, target) : null;
      if (refusal != null) {
        return Outcome.refused(refusal);
      }
      AccessRules access = given.orElse(AccessRules.NONE);
      return Outcome.done(item.metadata().with(access.owner().isPresent() ? access : access.withOwner(owner())));
    } catch (RnsException e) {
      return Outcome.refused(invalid(target, e));
    }
  }

  /** Who owns what the caller makes; empty if it has no name. */
  Optional<String> owner() {
    return caller.name().isEmpty() || caller.name().equals(Caller.SERVICE.name())
        ? Optional.empty()
        : Optional.of(caller.name());
  }

  private static Refusal notOfJunction(Target target) {
    return new Refusal.Invalid(
        target, RnsError.INVALID_REQUEST, "access rules belong to directories, and " + target + " is a junction");
  }

  private static Refusal invalid(Target target, RnsException e) {
    return new Refusal.Invalid(target, e.error(), target + ": " + e.getMessage());
  }

  /**
   * Metadata that replace those of an entry: what these say of access stays unless the new ones say something else,
   * which needs the right to.
   *
   * @param inside what holds in the entry, if it is a directory
   */
  Outcome<Metadata> metadata(Entry old, Metadata given, Target target, EffectiveAccess inside) {
    try {
      Optional<AccessRules> rules = given.givenAccess();
      if (old instanceof Junction) {
        return rules.isPresent() ? Outcome.refused(notOfJunction(target)) : Outcome.done(given);
      }
      AccessRules before = old.metadata().access();
      if (rules.isEmpty() || rules.get().equals(before)) {
        return Outcome.done(given.with(before));
      }
      Refusal refusal =
          draft.access().lacks(
              Right.ADMIN, inside, target, target.path().depth(), () -> Resolution.path(draft, target));
      return refusal == null ? Outcome.done(given.with(rules.get())) : Outcome.refused(refusal);
    } catch (RnsException e) {
      return Outcome.refused(invalid(target, e));
    }
  }

  /** Whether a change of an entry concerns nothing but what it says of access. */
  private static boolean changesAccessOnly(Entry old, EntryChange item) {
    if (item.references().isPresent() || item.metadata().isEmpty()) {
      return false;
    }
    Metadata given = item.metadata().get();
    Metadata others = given.withoutAccess();
    return !others.equals(given) && !given.access().equals(old.metadata().access())
        && others.equals(old.metadata().withoutAccess());
  }

  /** Why the caller may not change an entry like that, leaving aside where it moves to; null if it may. */
  @Nullable
  Refusal mayNotChange(Resolution.Found found, EntryChange item) {
    Entry old = found.entry();
    EffectiveAccess at = found.within();
    Target target = item.target();
    boolean leaves = leaves(old, item);
    Refusal unread = lacks(Right.READ, at, target);
    if (unread != null) {
      return unread;
    }
    // Who may set rules need not be able to change anything else, such as the name.
    boolean changes =
        changesAccessOnly(old, item)
            ? !leaves && isRenamed(old, item)
            : !leaves || item.references().isPresent() || item.metadata().isPresent();
    Refusal refusal = changes ? lacks(Right.CHANGE, at, target) : null;
    if (refusal == null && leaves) {
      refusal = lacks(Right.REMOVE, at, target);
    }
    return refusal == null && (leaves || isRenamed(old, item)) ? mayNotUncover(found, target) : refusal;
  }

  /** Whether a change names a directory for the entry that may be another one. */
  private boolean leaves(Entry old, EntryChange item) {
    return item.parent().isPresent() && !old.isRoot()
        && !(Resolution.of(draft, item.parent().get()) instanceof Resolution.Found to
            && to.entry().id().equals(old.binding().parent()));
  }

  private static boolean isRenamed(Entry old, EntryChange item) {
    return !old.isRoot() && item.name().filter(name -> !name.equals(old.binding().name())).isPresent();
  }

  /**
   * Why an entry may not lose its path; null if it may. What goes by path, as pools do, falls to other rules with the
   * path of a directory that has rules of its own: that is for callers who could have set these, in the directory or in
   * the one above.
   */
  private @Nullable Refusal mayNotUncover(Resolution.Found found, Target target) {
    if (!(found.entry() instanceof VirtualDirectory directory) || directory.metadata().access().inherits()) {
      return null;
    }
    EffectiveAccess inside = Resolution.inside(draft, found);
    return inside.grants(caller, Right.ADMIN)
        ? draft.access().lacks(
            Right.ADMIN, inside, target, target.path().depth(), () -> Resolution.path(draft, target))
        : lacks(Right.ADMIN, found.within(), target);
  }

  /**
   * Why an entry may not go from where it is to another directory; null if it may. A directory takes along what is
   * below it, which may be open to more callers there: that needs the right to open it.
   *
   * @param there what holds in the other directory
   */
  @Nullable
  Refusal mayNotMove(Entry old, EntryChange item, EffectiveAccess at, EffectiveAccess there) {
    Target parent = item.parent().orElseThrow();
    EntryName name = item.name().orElse(old.binding().name());
    Refusal refusal =
        draft.access().lacks(
            Right.ADD, there, parent, parent.path().depth(),
            () -> Resolution.path(draft, parent).map(path -> RnsPath.belowOrNull(path, List.of(name))));
    if (refusal != null || old instanceof Junction || there.isNoWiderThan(at)) {
      return refusal;
    }
    return lacks(Right.ADMIN, at, item.target());
  }

  /** Why the caller may not remove an entry; null if it may. What is in a directory goes with it. */
  @Nullable
  Refusal mayNotRemove(Resolution.Found found, Removal item) {
    if (draft.access().isAll()) {
      return null;
    }
    Target target = item.target();
    Refusal refusal = lacks(Right.READ, found.within(), target);
    if (refusal == null) {
      refusal = lacks(Right.REMOVE, found.within(), target);
    }
    if (refusal == null) {
      refusal = mayNotUncover(found, target);
    }
    if (refusal != null || !item.recursive() || !(found.entry() instanceof VirtualDirectory)) {
      return refusal;
    }
    return draft.access()
        .lacks(
            Right.REMOVE, Resolution.inside(draft, found), target, target.path().depth(),
            () -> Resolution.path(draft, target));
  }

  /** Whether a refusal may name an entry that the request does not name. */
  boolean seesName(Entry entry) {
    return draft.access().isAll()
        || (caller.limits().isEmpty()
            && !(Resolution.of(draft, Target.of(entry.id())) instanceof Resolution.Forbidden));
  }

  boolean isForeignRoot(Entry directory) {
    return directory.id().equals(anchors.parent());
  }

  Refusal inForeignRoot(Target target) {
    return new Refusal.Invalid(
        target, RnsError.DELEGATED,
        "cannot change " + target + " here: it does not belong to server group " + draft.position().group());
  }

  /** Why a caller cannot change an entry that belongs to another group, as the root may; null if it can. */
  @Nullable
  Refusal inForeignRoot(Entry entry, Target target) {
    return isForeignRoot(entry) || anchors.isAnchor(entry) ? inForeignRoot(target) : null;
  }
}
