package io.rns.server.namespace;

import io.rns.api.AccessRules;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.permission.AboveDirectory;
import io.rns.replication.partition.Anchors;
import io.rns.api.EffectiveAccess;
import io.rns.server.store.EntryKey;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a target leads to. */
sealed interface Resolution {
  /** What all walks upwards come to from anchors outside of the root; it has no row, and no path leads there. */
  VirtualDirectory OUTSIDE =
      new VirtualDirectory(
          new Binding(EntryId.ROOT, Anchors.OUTSIDE_ROOT.path().name()), Anchors.OUTSIDE_ROOT.parent(), 1,
          Instant.EPOCH, Instant.EPOCH, Metadata.NONE, -1);

  /**
   * It names this entry.
   *
   * @param within what holds in the directory that has the entry; in the root, for that
   */
  record Found(Entry entry, EffectiveAccess within) implements Resolution {}

  /**
   * A component names nothing.
   *
   * @param missing its place in the path, from 1; 0 if it is the start
   * @param last the directory in which it is missing, null if it is the start
   * @param within what holds in that directory
   */
  record Missing(int missing, @Nullable VirtualDirectory last, EffectiveAccess within) implements Resolution {}

  /**
   * The caller may not pass through a directory.
   *
   * @param depth its place in the path, from 1; 0 if it is the start, {@value #ABOVE} if it is above the start
   */
  record Forbidden(int depth) implements Resolution {
    /** The place of a directory above the start. */
    static final int ABOVE = -1;
  }

  /**
   * A component on the way is a junction.
   *
   * @param junction its place in the path, from 1; 0 if it is the start
   */
  record Blocked(int junction) implements Resolution {}

  /**
   * The path leads to the content of a directory that another server group owns.
   *
   * @param depth the place of the directory in the path, from 1; 0 if it is the start
   * @param group the server group
   * @param directory its identity
   */
  record Delegated(int depth, int group, EntryId directory) implements Resolution {
    Refusal refused(Target target) {
      return new Refusal.Delegated(target, depth, group, directory);
    }
  }

  /**
   * A component is an entry of which it is not decided in which server group it is.
   *
   * @param entry its name
   */
  record Moving(String entry) implements Resolution {
    EntryMoving met() {
      return new EntryMoving(entry);
    }
  }

  /** Walks a target's path, as far as the caller may. */
  static Resolution of(EntrySource source, Target target) {
    return of(source, target, false);
  }

  private static Resolution of(EntrySource source, Target target, boolean content) {
    TreeAccess access = source.access();
    List<EntryName> names = target.path().names();
    Entry entry = start(source, target.start(), names);
    if (entry instanceof VirtualDirectory trace && MovingEntries.isTrace(trace)) {
      return new Delegated(Refusal.Delegated.MOVED_AWAY, trace.owner().orElseThrow(), trace.id());
    }
    EffectiveAccess within = EffectiveAccess.NONE;
    if (!access.isAll() && entry instanceof VirtualDirectory left && access.isLeftBehind(left)) {
      // This group no longer knows what is above; the one that has it says what the caller may do.
      return names.isEmpty() && !content
          ? new Missing(0, null, within)
          : new Delegated(0, left.owner().orElseThrow(), left.id());
    }
    if (!access.isAll() && entry != null) {
      EffectiveAccess at = within(source, access, entry);
      if (at == null) {
        return new Forbidden(Forbidden.ABOVE);
      }
      within = at;
    }
    for (int i = 0; i < names.size(); i++) {
      if (entry == null) {
        return new Missing(0, null, within);
      }
      if (MovingEntries.isMoving(entry)) {
        return new Moving(entry.displayName());
      }
      if (!(entry instanceof VirtualDirectory directory)) {
        return new Blocked(i);
      }
      if (directory.owner().isPresent()) {
        return new Delegated(i, directory.owner().getAsInt(), directory.id());
      }
      if (!access.isAll()) {
        within = directory.isRoot() ? within : access.enter(within, directory);
        int depth = i;
        if (!access.permitsPassing(within, () -> target.path().prefix(depth).toString())) {
          return new Forbidden(i);
        }
      }
      entry = find(source, new EntryKey(directory.id().value(), names.get(i)), names, i + 1);
      if (entry == null) {
        return new Missing(i + 1, directory, within);
      }
    }
    if (entry == null) {
      return new Missing(0, null, within);
    }
    return MovingEntries.isMoving(entry) ? new Moving(entry.displayName()) : new Found(entry, within);
  }

  /**
   * What holds in the directory that has an entry, to which a path starts; null if the caller may not pass through all
   * directories above the entry.
   */
  private static @Nullable EffectiveAccess within(EntrySource source, TreeAccess access, Entry entry) {
    if (entry instanceof VirtualDirectory root && root.isRoot()) {
      return access.enter(EffectiveAccess.NONE, root);
    }
    Deque<VirtualDirectory> above = new ArrayDeque<>();
    Entry at = entry;
    while (!access.isAnchor(at) && !at.isRoot()) {
      at = find(source, at.binding().parent());
      if (!(at instanceof VirtualDirectory directory)) {
        return null;
      }
      above.addFirst(directory);
    }
    if (access.isAnchor(at) && !access.permitsPassingAbove(at.id())) {
      return null;
    }
    EffectiveAccess within = EffectiveAccess.NONE;
    for (VirtualDirectory directory : above) {
      within = access.enter(within, directory);
      if (!access.permitsPassing(within, () -> "[" + directory.id() + "]")) {
        return null;
      }
    }
    return above.isEmpty() ? access.within(List.of(), entry) : within;
  }

  /** What holds in a directory that was found. */
  static EffectiveAccess inside(EntrySource source, Found found) {
    // What holds in the root is what holds where the root is.
    return found.entry() instanceof VirtualDirectory directory && !directory.isRoot()
        ? source.access().enter(found.within(), directory)
        : found.within();
  }

  /**
   * Where an entry is, in the words of callers: as the target says, or by its identity; empty if no path leads there.
   */
  static Optional<RnsPath> path(EntrySource source, Target target) {
    if (target.start().equals(EntryId.ROOT)) {
      return source.access().outer(target.path());
    }
    Entry start = find(source, target.start());
    if (start == null) {
      return Optional.empty();
    }
    return climb(source, start).flatMap(source.access()::outer)
        .map(path -> RnsPath.belowOrNull(path, target.path().names()));
  }

  /** What a target leads to whose content is asked for: not {@link Found} if another group has it. */
  static Resolution ofContent(EntrySource source, Target target) {
    Resolution resolution = of(source, target, true);
    return resolution instanceof Found(VirtualDirectory directory, EffectiveAccess within)
        && directory.owner().isPresent()
            ? new Delegated(target.path().depth(), directory.owner().getAsInt(), directory.id())
            : resolution;
  }

  /**
   * A directory that a caller may use.
   *
   * @param access what holds in it
   */
  record Opened(VirtualDirectory directory, EffectiveAccess access) {}

  /** The directory that a target names, or why its content cannot be had, or not be used by a right. */
  static Outcome<Opened> directory(EntrySource source, Target target, Right right) {
    return switch (ofContent(source, target)) {
      case Found found when found.entry() instanceof VirtualDirectory directory -> {
        EffectiveAccess inside = inside(source, found);
        Refusal refusal =
            source.access().lacks(right, inside, target, target.path().depth(), () -> path(source, target));
        yield refusal == null ? Outcome.done(new Opened(directory, inside)) : Outcome.refused(refusal);
      }
      case Found junction -> Outcome.refused(new Refusal.NotDirectory(target, target.path().depth()));
      case Forbidden forbidden -> Outcome.refused(forbidden(source, target, forbidden));
      case Missing missing -> Outcome.refused(new Refusal.NoSuchEntry(target, missing.missing()));
      case Blocked blocked -> Outcome.refused(new Refusal.NotDirectory(target, blocked.junction()));
      case Delegated delegated -> Outcome.refused(delegated.refused(target));
      case Moving moving -> throw moving.met();
    };
  }

  /** The refusal of a target that the caller may not get to. */
  static Refusal forbidden(EntrySource source, Target target, Forbidden forbidden) {
    return source.access().refusal(target, forbidden.depth(), Right.READ);
  }

  private static @Nullable Entry start(EntrySource source, EntryId id, List<EntryName> names) {
    if (id.equals(EntryId.ROOT)) {
      return find(source, EntryKey.ROOT, names, 0);
    }
    Entry entry = id.equals(OUTSIDE.id()) ? null : find(source, id);
    return entry == null || !(MovingEntries.isTrace(entry) || isInTree(source, entry)) ? null : entry;
  }

  /** The entry of a key, or null. */
  static @Nullable Entry find(EntrySource source, EntryKey key) {
    return find(source, key, List.of(), 0);
  }

  /** The same, as a step of a walk that goes on with the names from {@code next} on. */
  private static @Nullable Entry find(EntrySource source, EntryKey key, List<EntryName> names, int next) {
    CachedBinding known = source.peek(key);
    if (known == null) {
      source.loadPath(key, names.subList(next, names.size()));
      known = Objects.requireNonNull(source.peek(key));
    }
    return known.entry();
  }

  /** The entry of an identity, or null; it may be one that is no longer in the tree. */
  static @Nullable Entry find(EntrySource source, EntryId id) {
    // The root is always in the same place, and every walk upwards ends there.
    return id.equals(EntryId.ROOT) ? find(source, EntryKey.ROOT)
        : id.equals(OUTSIDE.id()) ? OUTSIDE : source.findBelowRoot(id);
  }

  /**
   * Whether an entry hangs on the root: content of a removed directory, or of one that another server group owns, does
   * not, although its rows may still exist.
   */
  static boolean isInTree(EntrySource source, Entry entry) {
    return isInTree(id -> find(source, id), entry);
  }

  /** The same of any rows. */
  static boolean isInTree(Function<EntryId, @Nullable Entry> find, Entry entry) {
    Entry at = entry;
    while (!at.isRoot()) {
      EntryId parent = at.binding().parent();
      at = parent.equals(OUTSIDE.id()) ? OUTSIDE : find.apply(parent);
      if (at == null || (at instanceof VirtualDirectory directory && directory.owner().isPresent())) {
        return false;
      }
    }
    return true;
  }

  /** Where a directory is; empty if it is not in the tree, or deeper than a path can be. */
  static Optional<RnsPath> path(EntrySource source, EntryId directory) {
    Entry found = find(source, directory);
    return found == null ? Optional.empty() : climb(source, found);
  }

  /** The same, also empty where another server group has what is there: rows of it may still be here. */
  static Optional<RnsPath> place(EntrySource source, EntryId directory) {
    Entry found = find(source, directory);
    return found instanceof VirtualDirectory && isInTree(source, found) ? climb(source, found) : Optional.empty();
  }

  private static Optional<RnsPath> climb(EntrySource source, Entry entry) {
    Deque<EntryName> names = new ArrayDeque<>();
    Entry at = entry;
    while (at != null && !at.isRoot() && names.size() <= Limits.PATH_DEPTH) {
      names.addFirst(at.binding().name());
      at = find(source, at.binding().parent());
    }
    return at == null ? Optional.empty() : Optional.ofNullable(RnsPath.belowOrNull(RnsPath.ROOT, names));
  }

  /**
   * The directories from the root down to one of the tree that say something of access, without what stands for content
   * whose directory has its entry in another group.
   *
   * @param depth of the directory
   */
  static List<AboveDirectory> above(EntrySource source, EntryId directory, int depth) {
    Deque<AboveDirectory> above = new ArrayDeque<>();
    Entry at = find(source, directory);
    for (int level = depth; at != null; level--) {
      AccessRules access = at.metadata().access();
      if (!access.isNone()) {
        above.addFirst(new AboveDirectory(at.id(), level, access));
      }
      at = at.isRoot() ? null : find(source, at.binding().parent());
    }
    return List.copyOf(above);
  }

  /** How many levels below the root an entry of the tree is. */
  static int depth(EntrySource source, Entry entry) {
    int depth = 0;
    for (Entry at = entry; at != null && !at.isRoot(); at = find(source, at.binding().parent())) {
      depth++;
    }
    return depth;
  }

  /** Whether a directory is {@code ancestor} or below it. */
  static boolean isWithin(EntrySource source, Entry directory, EntryId ancestor) {
    Entry at = directory;
    while (at != null && !at.id().equals(ancestor)) {
      at = at.isRoot() ? null : find(source, at.binding().parent());
    }
    return at != null;
  }

  /**
   * Loads what the resolution of many targets will ask for: one component of all of them at a time instead of all
   * components of one at a time. Where all of them wait for the same component, the rest of a path comes with it.
   */
  static void prefetch(EntrySource source, Collection<Target> targets) {
    Collection<Target> rest = targets;
    while (rest.size() > 1) {
      Map<EntryKey, List<EntryName>> unknown = new LinkedHashMap<>();
      List<Target> unfinished = new ArrayList<>();
      for (Target target : rest) {
        Step step = firstUnknown(source, target);
        if (step != null) {
          unknown.putIfAbsent(step.key(), step.below());
          unfinished.add(target);
        }
      }
      if (unknown.size() == 1) {
        unknown.forEach(source::loadPath);
      } else if (!unknown.isEmpty()) {
        source.load(unknown.keySet());
      }
      rest = unfinished;
    }
  }

  /**
   * A step of a walk.
   *
   * @param below the names of the steps after it
   */
  record Step(EntryKey key, List<EntryName> below) {}

  private static @Nullable Step firstUnknown(EntrySource source, Target target) {
    List<EntryName> names = target.path().names();
    Entry entry;
    if (target.start().equals(EntryId.ROOT)) {
      CachedBinding known = source.peek(EntryKey.ROOT);
      if (known == null) {
        return new Step(EntryKey.ROOT, names);
      }
      entry = known.entry();
    } else {
      entry = find(source, target.start());
    }
    for (int i = 0; i < names.size(); i++) {
      if (!(entry instanceof VirtualDirectory directory) || directory.owner().isPresent()) {
        return null;
      }
      EntryKey key = new EntryKey(directory.id().value(), names.get(i));
      CachedBinding known = source.peek(key);
      if (known == null) {
        return new Step(key, names.subList(i + 1, names.size()));
      }
      entry = known.entry();
    }
    return null;
  }

  /** Why a target that was to be found is refused; null if it was found. */
  default @Nullable Refusal refusal(EntrySource source, Target target) {
    return switch (this) {
      case Found found -> null;
      case Forbidden forbidden -> forbidden(source, target, forbidden);
      case Missing missing -> new Refusal.NoSuchEntry(target, missing.missing());
      case Blocked blocked -> new Refusal.NotDirectory(target, blocked.junction());
      case Delegated delegated -> delegated.refused(target);
      case Moving moving -> throw moving.met();
    };
  }
}
