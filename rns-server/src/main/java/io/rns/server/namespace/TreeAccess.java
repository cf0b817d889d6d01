package io.rns.server.namespace;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.Caller;
import io.rns.api.EffectiveAccess;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.Refusal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AboveDirectory;
import io.rns.permission.AccessControl;
import io.rns.permission.CallerRights;
import io.rns.permission.InheritedAccess;
import io.rns.permission.InheritedAccess.AboveContent;
import io.rns.replication.partition.Anchors;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one caller may do in the tree of this server's group. Every {@link EntrySource} has one, so that no path is
 * walked without it.
 */
final class TreeAccess {
  /** Of the service itself, and of everybody where nothing is checked. */
  static final TreeAccess ALL = new TreeAccess(CallerRights.ALL, Anchors.OUTSIDE_ROOT, new InheritedAccess());

  /** Where rules are not enforced, and not known. */
  private static final EffectiveAccess EVERYTHING =
      EffectiveAccess.NONE.enter(
          EntryId.ROOT,
          new AccessRules(
              Optional.empty(), Optional.of(List.of(AccessRule.parse(AccessRule.ANYONE + "=" + Right.ADMIN.text())))));

  private final CallerRights rights;
  private final Anchors anchors;
  private final InheritedAccess inherited;

  private TreeAccess(CallerRights rights, Anchors anchors, InheritedAccess inherited) {
    this.rights = rights;
    this.anchors = anchors;
    this.inherited = inherited;
  }

  /** What a caller may do. */
  static TreeAccess of(AccessControl control, Caller caller, Anchors anchors) {
    CallerRights rights = control.of(caller);
    return rights.areAll() ? ALL : new TreeAccess(rights, anchors, control.inherited());
  }

  /** Whether nothing has to be checked. */
  boolean isAll() {
    return rights.areAll();
  }

  // ---- what holds

  /** What holds in a directory, given what holds in the one above it. */
  EffectiveAccess enter(EffectiveAccess above, VirtualDirectory directory) {
    if (isAll()) {
      return above;
    }
    if (directory.id().equals(anchors.parent())) {
      return EffectiveAccess.NONE;
    }
    return isAnchor(directory)
        ? above(directory.id(), true)
        : above.enter(directory.id(), directory.metadata().access());
  }

  /** What holds in the directory that has an entry, which is the last of these or below it. */
  EffectiveAccess within(List<VirtualDirectory> fromRoot, Entry entry) {
    if (!isAll() && isAnchor(entry)) {
      return above(entry.id(), false);
    }
    EffectiveAccess at = EffectiveAccess.NONE;
    for (VirtualDirectory directory : fromRoot) {
      at = enter(at, directory);
    }
    return at;
  }

  /** Whether an entry stands for content whose directory has its own entry in another group. */
  boolean isAnchor(Entry entry) {
    return anchors.isAnchor(entry);
  }

  /** Whether another group has the content that an entry of this one stands for. */
  boolean isLeftBehind(VirtualDirectory directory) {
    return isAnchor(directory) && directory.owner().isPresent();
  }

  /**
   * What is above content whose directory has its own entry elsewhere; empty where that is not known, and rules are not
   * enforced.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it is not known and decides what the caller may do: the group
   *         has just begun to own the content, and the next partition map has it
   */
  private Optional<AboveContent> known(EntryId directory) {
    Optional<AboveContent> known = inherited.above(directory);
    if (known.isEmpty() && rights.followRules()) {
      throw notKnownYet(directory);
    }
    return known;
  }

  private static RnsException notKnownYet(EntryId directory) {
    return new RnsException(
        RnsError.UNAVAILABLE,
        "this server does not know yet what is above [" + directory
            + "], which its group has just begun to own; retry");
  }

  /** What holds in a directory whose entry another group has, or in the one above it. */
  private EffectiveAccess above(EntryId directory, boolean including) {
    Optional<AboveContent> known = known(directory);
    if (known.isEmpty()) {
      return EVERYTHING;
    }
    EffectiveAccess at = EffectiveAccess.NONE;
    for (AboveDirectory each : known.get().directories()) {
      if (including || !each.directory().equals(directory)) {
        at = at.enter(each.directory(), each.access());
      }
    }
    return at;
  }

  /** Whether the caller may pass through all directories above content whose directory has its entry elsewhere. */
  boolean permitsPassingAbove(EntryId directory) {
    Optional<AboveContent> known = known(directory);
    if (known.isEmpty()) {
      return true;
    }
    EffectiveAccess at = EffectiveAccess.NONE;
    List<AboveDirectory> all = known.get().directories();
    if ((all.isEmpty() || all.getFirst().depth() > 0) && !rights.permitsPassing(at, () -> "/")) {
      return false;
    }
    for (AboveDirectory each : all) {
      at = at.enter(each.directory(), each.access());
      int depth = each.depth();
      if (!each.directory().equals(directory)
          && !rights.permitsPassing(at, () -> known.get().path().prefix(depth).toString())) {
        return false;
      }
    }
    return true;
  }

  // ---- whether it permits something

  /** Whether the caller may pass through a directory to what is below it. */
  boolean permitsPassing(EffectiveAccess at, Supplier<String> where) {
    return isAll() || rights.permitsPassing(at, where);
  }

  /**
   * Why the caller may not use a right; null if it may.
   *
   * @param at what holds in the directory
   * @param target what the request names
   * @param depth of the directory in its path
   * @param path of the entry that is used, or of the directory if that is listed or administered
   */
  @Nullable
  Refusal lacks(
      Right right, EffectiveAccess at, Target target, int depth, Supplier<Optional<RnsPath>> path) {
    return isAll()
        || rights.permits(
            right, () -> at, path,
            () -> new Target(target.start(), target.path().prefix(Math.max(0, depth))).toString())
                ? null
                : rights.refusal(target, depth, right);
  }

  /** The refusal of a request that does not get to what it names. */
  Refusal refusal(Target target, int depth, Right right) {
    return rights.refusal(target, depth, right);
  }

  /** Whether the caller has a right, where what it has not is left out. */
  boolean has(Right right, EffectiveAccess at, Supplier<Optional<RnsPath>> path) {
    return isAll() || rights.has(right, at, path);
  }

  /**
   * A path in the words of callers, of one in the tree of this group; empty if there is none.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it is not known yet, and limits of the credential depend on it
   */
  Optional<RnsPath> outer(RnsPath inner) {
    Anchors.Place place = anchors.place(inner).orElse(null);
    if (place == null || place.partition().equals(EntryId.ROOT)) {
      return Optional.ofNullable(place).map(own -> inner);
    }
    Optional<AboveContent> known = inherited.above(place.partition());
    if (known.isEmpty() && !rights.caller().limits().isEmpty()) {
      throw notKnownYet(place.partition());
    }
    return known.map(above -> RnsPath.belowOrNull(above.path(), place.names()));
  }
}
