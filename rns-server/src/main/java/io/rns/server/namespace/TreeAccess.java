package io.rns.server.namespace;

import io.rns.api.Caller;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Refusal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsException;
import io.rns.permission.AboveDirectory;
import io.rns.permission.AccessControl;
import io.rns.permission.CallerRights;
import io.rns.api.EffectiveAccess;
import io.rns.permission.InheritedAccess;
import io.rns.permission.InheritedAccess.AboveContent;
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
  static final TreeAccess ALL = new TreeAccess(CallerRights.ALL, true, new InheritedAccess());

  private final CallerRights rights;
  private final boolean ownsRoot;
  private final InheritedAccess inherited;

  private TreeAccess(CallerRights rights, boolean ownsRoot, InheritedAccess inherited) {
    this.rights = rights;
    this.ownsRoot = ownsRoot;
    this.inherited = inherited;
  }

  /**
   * What a caller may do.
   *
   * @param ownsRoot whether the root of this tree is that of callers
   */
  static TreeAccess of(AccessControl control, Caller caller, boolean ownsRoot) {
    CallerRights rights = control.of(caller);
    return rights.areAll() ? ALL : new TreeAccess(rights, ownsRoot, control.inherited());
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
    if (ownsRoot) {
      return above.enter(directory.id(), directory.metadata().access());
    }
    if (directory.isRoot()) {
      return EffectiveAccess.NONE;
    }
    return isAnchor(directory)
        ? above(directory.id(), true)
        : above.enter(directory.id(), directory.metadata().access());
  }

  /** What holds in the directory that has an entry, which is the last of these or below it. */
  EffectiveAccess within(List<VirtualDirectory> fromRoot, Entry entry) {
    if (!isAll() && !ownsRoot && isAnchor(entry)) {
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
    return !ownsRoot && !entry.isRoot() && entry.binding().parent().equals(EntryId.ROOT);
  }

  /** What holds in a directory whose entry another group has, or in the one above it. */
  private EffectiveAccess above(EntryId directory, boolean including) {
    EffectiveAccess at = EffectiveAccess.NONE;
    Optional<AboveContent> known = inherited.above(directory);
    for (AboveDirectory each : known.map(AboveContent::directories).orElse(List.of())) {
      if (including || !each.directory().equals(directory)) {
        at = at.enter(each.directory(), each.access());
      }
    }
    return at;
  }

  /** Whether the caller may pass through all directories above content whose directory has its entry elsewhere. */
  boolean permitsPassingAbove(EntryId directory) {
    Optional<AboveContent> known = inherited.above(directory);
    if (known.isEmpty()) {
      return rights.permitsPassing(EffectiveAccess.NONE, () -> "[" + directory + "]");
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

  /** A path in the words of callers, of one in the tree of this group. */
  Optional<RnsPath> outer(RnsPath inner) {
    if (ownsRoot) {
      return Optional.of(inner);
    }
    if (inner.isRoot()) {
      return Optional.empty();
    }
    List<EntryName> rest = inner.names().subList(1, inner.depth());
    try {
      EntryId directory = EntryId.parse(inner.names().getFirst().toString());
      return inherited.above(directory).map(above -> RnsPath.belowOrNull(above.path(), rest));
    } catch (RnsException e) {
      return Optional.empty();
    }
  }
}
