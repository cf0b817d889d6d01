package io.rns.server.namespace;

import io.rns.api.Change.Kind;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.namespace.ArrivingContent.Depths;
import io.rns.server.store.LoggedChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Entries that have changed while a directory's content is copied, and are in the content or the copy: what the target
 * lifts, removes and lacks. The group's other changes are not kept: there may be thousands a second while the copy
 * takes hours.
 */
final class ContentChanges {
  private static final int LOG_ROWS = 50;
  /** Of the whole group, those that are looked up together. */
  private static final int CHANGED_AT_ONCE = 10_000;
  /** What an entry takes that has changed and is kept in memory, on each side that has it. */
  private static final int CHANGED_BYTES = 128;

  private final EntryId directory;
  private final Function<Collection<EntryId>, Set<EntryId>> copied;
  private final long keptBytes;
  private final boolean isCompared;
  private final boolean interrupted;
  /** Those that are in the content now, with their depth. */
  private final Map<EntryId, Integer> depths = new HashMap<>();
  /** Those of them that moved, or whose content did, or that are moving to another group. */
  private final Set<EntryId> moved = new HashSet<>();
  /** Those that the target has. */
  private final Set<EntryId> known = new HashSet<>();
  /** Those that the target has with what was their content: it has to be given up, and sent as it is now. */
  private final Set<EntryId> emptied = new HashSet<>();

  /**
   * None yet.
   *
   * @param copied those of some entries that the target has
   * @param keptBytes most that is kept in memory
   * @param compared whether both sides have been compared
   * @param interrupted whether the target may have something else than the content as it was before they changed
   */
  ContentChanges(
      EntryId directory, Function<Collection<EntryId>, Set<EntryId>> copied, long keptBytes, boolean compared,
      boolean interrupted) {
    this.directory = directory;
    this.copied = copied;
    this.keptBytes = keptBytes;
    this.isCompared = compared;
    this.interrupted = interrupted;
  }

  // ---- the log

  /** Whether all changes after a position are still in the log. */
  static boolean areKept(GroupRows rows, Position after) {
    List<LoggedChange> next = rows.changes(after, 1);
    return after.sequence() >= rows.position().sequence() || follows(next, after);
  }

  private static boolean follows(List<LoggedChange> next, Position after) {
    return !next.isEmpty() && next.getFirst().position().sequence() == after.sequence() + 1;
  }

  /**
   * How an entry has changed.
   *
   * @param added whether it is new here
   * @param moved whether it is in another place, or its content in another group, or was meanwhile
   * @param content whether its content has come from another group, or gone to one
   * @param directory that it is in after the last change; of a removed one, that it was in
   */
  record How(boolean added, boolean moved, boolean content, EntryId directory) {
    static How of(LoggedChange change) {
      boolean content = change.movesContent();
      boolean moved = content || change.kind() == Kind.MOVED || change.kind() == Kind.REMOVED;
      return new How(change.kind() == Kind.ADDED, moved, content, change.place().parent());
    }

    How then(How later) {
      return new How(added || later.added, moved || later.moved, content || later.content, later.directory);
    }
  }

  /**
   * Gives the entries of the whole group that have changed after a position, some at a time. Who has changed often may
   * come several times.
   *
   * @param taker returns whether it takes more; what it is given is changed afterwards
   * @return whether it has taken all
   */
  static boolean read(GroupRows rows, Position after, long keptBytes, Predicate<Map<EntryId, How>> taker) {
    long atOnce = Math.max(1, Math.min(CHANGED_AT_ONCE, keptBytes / CHANGED_BYTES));
    Position now = rows.position();
    Map<EntryId, How> some = new LinkedHashMap<>();
    Position at = after;
    while (at.sequence() < now.sequence()) {
      List<LoggedChange> changes = rows.changes(at, LOG_ROWS);
      if (!follows(changes, at)) {
        throw new RnsException(RnsError.UNAVAILABLE, "the changes after " + at + " are no longer kept");
      }
      for (LoggedChange change : changes) {
        some.merge(new EntryId(change.entryId()), How.of(change), How::then);
        if (some.size() >= atOnce) {
          if (!taker.test(some)) {
            return false;
          }
          some.clear();
        }
      }
      at = changes.getLast().position();
    }
    return taker.test(some);
  }

  // ---- what they mean for the copy

  /**
   * Adds some. The target is not asked for those outside that have not moved: if it has one, that is below a directory
   * which has left, and is removed with it.
   */
  void take(GroupRows rows, Map<EntryId, How> some) {
    How itself = some.get(directory);
    if (isCompared && itself != null && itself.added) {
      // The log does not have what was removed where it was.
      throw new RnsException(
          RnsError.UNAVAILABLE, directory + " has left this group with the content around it, and come back; retry");
    }
    Set<EntryId> directories = new Depths(rows, directory)
        .within(some.values().stream().map(How::directory).collect(Collectors.toSet()), false);
    Set<EntryId> inside = inside(rows, ids(some, how -> how.moved || directories.contains(how.directory)));
    Set<EntryId> asked = ids(some, how -> interrupted || how.moved);
    moved.addAll(asked);
    moved.retainAll(depths.keySet());
    asked.addAll(inside);
    known.addAll(copied.apply(asked));
    emptied.addAll(ids(some, How::content));
    emptied.retainAll(known);
  }

  /** Adds those that are in the content now. */
  private Set<EntryId> inside(GroupRows rows, Set<EntryId> ids) {
    Set<EntryId> inside = new HashSet<>();
    Depths below = new Depths(rows, directory);
    for (List<EntryId> some : ArrivingContent.chunks(ids)) {
      Collection<Entry> entries = rows.findIds(some).values();
      below.load(entries);
      for (Entry entry : entries) {
        int depth = entry.isRoot() ? -1 : below.of(entry);
        if (depth > 0) {
          depths.put(entry.id(), depth);
          inside.add(entry.id());
          if (MovingEntries.isMoving(entry)) {
            moved.add(entry.id());
          }
        }
      }
    }
    return inside;
  }

  private static Set<EntryId> ids(Map<EntryId, How> some, Predicate<How> wanted) {
    return some.entrySet().stream().filter(each -> wanted.test(each.getValue())).map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Whether it may keep all that it has. */
  boolean fits() {
    return ((long) known.size() + depths.size()) * CHANGED_BYTES <= keptBytes;
  }

  private boolean isGone(EntryId id) {
    return !depths.containsKey(id) || emptied.contains(id);
  }

  /**
   * Those that the target lifts: still in the content, perhaps in another place, or below a directory that gives up its
   * content.
   */
  List<EntryId> lifted() {
    return known.stream().filter(id -> !isGone(id) && (moved.contains(id) || !emptied.isEmpty())).toList();
  }

  /** Those that the target removes, after it has lifted all that may be below them. */
  List<EntryId> gone() {
    return known.stream().filter(this::isGone).toList();
  }

  /** Whether one of them is removed for its content only, and sent again. */
  boolean emptiesSome() {
    return !emptied.isEmpty();
  }

  /** The target has removed those that are gone. */
  void removed() {
    known.removeAll(emptied);
  }

  private boolean comes(EntryId id) {
    return !known.contains(id) && moved.contains(id);
  }

  /** Whether the target is to get entries that were elsewhere. */
  boolean hasComing() {
    return depths.keySet().stream().anyMatch(this::comes);
  }

  /** The directories among them. */
  List<EntryId> comingDirectories(GroupRows rows) {
    List<EntryId> directories = new ArrayList<>();
    for (List<EntryId> some : ArrivingContent.chunks(depths.keySet().stream().filter(this::comes).toList())) {
      rows.findIds(some).values().stream().filter(VirtualDirectory.class::isInstance).map(Entry::id)
          .forEach(directories::add);
    }
    return directories;
  }

  /** Gives the entries that the target lacks, or has as they were, each after the directory that it is in. */
  void missing(GroupRows rows, Consumer<Entry> sink) {
    List<EntryId> present = new ArrayList<>(depths.keySet());
    present.sort(Comparator.comparing(depths::get));
    // Of what has not changed, which may be much, each entry is below one of these only.
    Set<EntryId> sent = new HashSet<>();
    for (List<EntryId> some : ArrivingContent.chunks(present)) {
      Map<EntryId, Entry> found = rows.findIds(some);
      for (EntryId id : some) {
        if (sent.add(id)) {
          Entry entry = Objects.requireNonNull(found.get(id));
          sink.accept(entry);
          if (entry instanceof VirtualDirectory directoryOfThem && directoryOfThem.owner().isEmpty()
              && !known.contains(id)) {
            rows.subtree(
                id, below -> !known.contains(below),
                below -> {
                  if (!depths.containsKey(below.id()) || sent.add(below.id())) {
                    sink.accept(below);
                  }
                });
          }
        }
      }
    }
  }
}
