package io.rns.server.namespace;

import io.rns.api.AccessRules;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EffectiveAccess;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.Refusal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.server.store.EntryKey;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What additions do to a {@link Draft}. */
final class AdditionRules {
  private final Draft draft;
  private final WritePermissions permissions;

  AdditionRules(Draft draft, WritePermissions permissions) {
    this.draft = draft;
    this.permissions = permissions;
  }

  /** Adds an entry, or replaces what there is if the request allows that. */
  Outcome<Entry> add(NewEntry item, boolean parents) {
    Target target = item.target();
    Refusal tooLarge = WrittenEntries.tooLarge(target, item.references(), item.metadata());
    if (tooLarge != null) {
      return Outcome.refused(tooLarge);
    }
    boolean made = false;
    Resolution place = Resolution.ofContent(draft, new Target(target.start(), target.path().parent()));
    Refusal tooDeep = tooDeep(target);
    if (tooDeep != null) {
      return Outcome.refused(tooDeep);
    }
    if (parents && place instanceof Resolution.Missing missing && missing.last() != null) {
      if (permissions.isForeignRoot(missing.last())) {
        return Outcome.refused(permissions.inForeignRoot(target));
      }
      Refusal refusal = permissions.mayNotAdd(missing.within(), target, missing.missing() - 1);
      if (refusal != null) {
        return Outcome.refused(refusal);
      }
      place = new Resolution.Found(
          makeParents(target.path(), missing.missing(), missing.last().id()), missing.within());
      made = true;
    }
    return switch (place) {
      case Resolution.Missing missing -> Outcome.refused(new Refusal.NoSuchEntry(target, missing.missing()));
      case Resolution.Blocked blocked -> Outcome.refused(new Refusal.NotDirectory(target, blocked.junction()));
      case Resolution.Delegated delegated -> Outcome.refused(delegated.refused(target));
      case Resolution.Moving moving -> throw moving.met();
      case Resolution.Forbidden forbidden -> Outcome.refused(Resolution.forbidden(draft, target, forbidden));
      case Resolution.Found found when found.entry() instanceof Junction ->
        Outcome.refused(new Refusal.NotDirectory(target, target.path().depth() - 1));
      case Resolution.Found found when permissions.isForeignRoot(found.entry()) ->
        Outcome.refused(permissions.inForeignRoot(target));
      case Resolution.Found found ->
        addTo(found.entry().id(), item, made ? found.within() : Resolution.inside(draft, found));
    };
  }

  /** Why there cannot be an entry at a target; a path from the root is never too long. */
  private @Nullable Refusal tooDeep(Target target) {
    if (target.start().equals(EntryId.ROOT)) {
      return null;
    }
    Entry start = Resolution.find(draft, target.start());
    int depth = start == null ? 0 : Resolution.depth(draft, start) + target.path().depth();
    return depth <= Limits.TREE_DEPTH ? null
        : WrittenEntries.tooDeep(target, "entry '" + target + "' would be " + depth);
  }

  private VirtualDirectory makeParents(RnsPath path, int firstMissing, EntryId above) {
    EntryId parent = above;
    VirtualDirectory made = null;
    for (EntryName name : path.parent().names().subList(firstMissing - 1, path.depth() - 1)) {
      made = directory(new Binding(parent, name),
          Metadata.NONE.with(new AccessRules(permissions.owner(), Optional.empty())));
      draft.add(made);
      parent = made.id();
    }
    // A missing component is one of the parents, so the loop made at least one.
    return Objects.requireNonNull(made);
  }

  private VirtualDirectory directory(Binding binding, Metadata metadata) {
    return new VirtualDirectory(
        binding, draft.newId(), draft.nextVersion(), draft.time(), draft.time(), metadata, -1);
  }

  private Outcome<Entry> addTo(EntryId directory, NewEntry item, EffectiveAccess at) {
    Refusal refusal = permissions.mayNotAdd(at, item.target(), item.target().path().depth() - 1);
    if (refusal != null
        && (item.precondition() instanceof Precondition.IfAbsent
            || permissions.lacks(Right.READ, at, item.target()) != null)) {
      // Whether there is an entry of that name is not told.
      return Outcome.refused(refusal);
    }
    Binding binding = new Binding(directory, item.target().path().name());
    EntryKey key = new EntryKey(directory.value(), binding.name());
    Entry existing = insertsIfAbsent(item) ? draft.findToAdd(key) : Resolution.find(draft, key);
    if (existing != null) {
      return replace(existing, item, at);
    }
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    if (item.precondition() instanceof Precondition.IfVersion required) {
      return Outcome.refused(new Refusal.VersionMismatch(item.target(), required.version(), 0));
    }
    Outcome<Metadata> metadata = permissions.metadata(item, at);
    if (metadata instanceof Outcome.Refused<Metadata>(Refusal wrong)) {
      return Outcome.refused(wrong);
    }
    Entry entry =
        item.isDirectory()
            ? directory(binding, metadata.orThrow())
            : new Junction(
                binding,
                draft.newId(),
                draft.nextVersion(),
                draft.time(),
                draft.time(),
                item.metadata(),
                item.references());
    draft.add(entry);
    return Outcome.done(entry);
  }

  /** Whether an entry is added only if there is none. */
  static boolean insertsIfAbsent(NewEntry item) {
    return !(item.precondition() instanceof Precondition.IfVersion);
  }

  private Outcome<Entry> replace(Entry existing, NewEntry item, EffectiveAccess at) {
    Target target = item.target();
    WrittenEntries.checkSettled(existing, target);
    if (item.precondition() instanceof Precondition.IfAbsent) {
      return Outcome.refused(new Refusal.EntryExists(target, target));
    }
    Refusal refusal = permissions.mayNotReplace(at, target);
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    Refusal stale = WrittenEntries.stale(existing, target, item.precondition());
    if (stale != null) {
      return Outcome.refused(stale);
    }
    if (existing instanceof VirtualDirectory && !item.isDirectory()) {
      return Outcome.refused(new Refusal.IsDirectory(target));
    }
    if (existing instanceof Junction && item.isDirectory()) {
      return Outcome.refused(new Refusal.NotDirectory(target, target.path().depth()));
    }
    Outcome<Metadata> metadata =
        permissions.metadata(existing, item.metadata(), target,
            Resolution.inside(draft, new Resolution.Found(existing, at)));
    if (metadata instanceof Outcome.Refused<Metadata>(Refusal wrong)) {
      return Outcome.refused(wrong);
    }
    Entry entry = WrittenEntries.with(draft, existing, existing.binding(), item.references(), metadata.orThrow());
    draft.replace(existing, entry);
    return Outcome.done(entry);
  }
}
