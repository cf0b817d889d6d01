package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.server.store.DelegatedDirectoryTable;
import io.rns.server.store.DepartureTable.Departure;
import io.rns.server.store.DirectoryCountTable;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import io.rns.server.store.GroupTable;
import io.rns.server.store.GroupTable.GroupRow;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.RequestKey;
import io.rns.server.store.RequestLogTable;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import io.rns.server.store.RequestLogTable.Given;
import io.rns.server.store.SubtreeRows;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One state of a group's database, in memory: each commit makes the next one. */
final class SimulatedTables implements GroupRows, EntrySource {
  /** A name or a request id that was taken for a new one is there. */
  static final class Duplicate extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final GroupRow row;
  private final Map<EntryKey, Entry> entries;
  private final Map<EntryId, EntryKey> places;
  private final Map<EntryId, DirectoryCountTable.Row> counts;
  private final Map<EntryId, DelegatedDirectoryTable.Row> delegated;
  private final Map<RequestKey, AnsweredRequest> answers;
  private final NavigableSet<EntryId> removed;
  /** Of all states of the group: what is beyond the position of this one is not its own. */
  private final List<LoggedChange> log;
  private final TreeMap<Long, List<AnsweredRequest>> answerLog;
  private final TreeAccess access;
  private boolean pretendsToBeCleared;

  private SimulatedTables(SimulatedTables before, GroupRow row) {
    this.row = row;
    entries = new HashMap<>(before.entries);
    places = new HashMap<>(before.places);
    counts = new HashMap<>(before.counts);
    delegated = new HashMap<>(before.delegated);
    answers = new HashMap<>(before.answers);
    removed = newRemoved(before.removed);
    log = before.log;
    answerLog = before.answerLog;
    access = TreeAccess.ALL;
  }

  /** The same state, read by a caller. */
  private SimulatedTables(SimulatedTables same, TreeAccess access) {
    row = same.row;
    entries = same.entries;
    places = same.places;
    counts = same.counts;
    delegated = same.delegated;
    answers = same.answers;
    removed = same.removed;
    log = same.log;
    answerLog = same.answerLog;
    this.access = access;
  }

  private static NavigableSet<EntryId> newRemoved(Collection<EntryId> directories) {
    NavigableSet<EntryId> removed = new TreeSet<>(java.util.Comparator.comparingLong(EntryId::value));
    removed.addAll(directories);
    return removed;
  }

  /** A tree with nothing but its root. */
  SimulatedTables(int group, Instant time) {
    row = new GroupRow(new Position(group, 1, 1), 1, 0, time, Positions.NONE, GroupTable.ALL);
    VirtualDirectory root = new VirtualDirectory(null, EntryId.ROOT, 1, time, time, Metadata.NONE, -1);
    entries = new HashMap<>(Map.of(EntryKey.ROOT, root));
    places = new HashMap<>(Map.of(EntryId.ROOT, EntryKey.ROOT));
    counts = new HashMap<>();
    delegated = new HashMap<>();
    answers = new HashMap<>();
    removed = newRemoved(List.of());
    log = new ArrayList<>();
    answerLog = new TreeMap<>();
    access = TreeAccess.ALL;
  }

  GroupRow row() {
    return row;
  }

  // ---- the next state

  /** After another server has begun to be the primary. */
  SimulatedTables begun(Instant time) {
    Position now = new Position(row.position().group(), row.position().epoch() + 1, row.position().sequence());
    return new SimulatedTables(
        this, new GroupRow(now, row.lastEntry(), row.lastAnswers(), time, row.reflected(), row.confirmed()));
  }

  /**
   * After a transaction.
   *
   * @throws Duplicate as the database refuses it
   */
  SimulatedTables after(
      DraftRows changes, Set<RequestKey> replaced, List<AnsweredRequest> answered, GroupRow after) {
    SimulatedTables next = new SimulatedTables(this, after);
    next.change(changes);
    next.answers.keySet().removeAll(replaced);
    for (AnsweredRequest each : answered) {
      if (next.answers.put(each.key(), each) != null) {
        throw new Duplicate();
      }
    }
    next.log.addAll(changes.changes());
    if (!answered.isEmpty()) {
      next.answerLog.put(after.lastAnswers(), List.copyOf(answered));
    }
    return next;
  }

  private void change(DraftRows changes) {
    changes.deleted().forEach(this::delete);
    for (Entry entry : changes.inserted()) {
      EntryKey key = EntryTable.keyOf(entry);
      if (entries.put(key, entry) != null || places.put(entry.id(), key) != null) {
        throw new Duplicate();
      }
    }
    changes.counted().forEach((directory, difference) -> count(directory, difference, 0));
    changes.raised().forEach((directory, height) -> count(directory, 0, height));
    delegated.keySet().removeAll(changes.undelegated());
    changes.delegated().forEach(each -> delegated.put(each.directory(), each));
    removed.addAll(changes.removed());
  }

  private void delete(EntryKey key) {
    Entry entry = entries.remove(key);
    if (entry != null) {
      places.remove(entry.id());
    }
  }

  private void count(EntryId directory, long difference, int height) {
    counts.merge(
        directory, new DirectoryCountTable.Row(difference, height),
        (old, more) -> new DirectoryCountTable.Row(
            old.entries() + more.entries(), Math.max(old.height(), more.height())));
  }

  /** After a step of deleting what was removed: some rows of one directory. */
  SimulatedTables cleared(int most) {
    SimulatedTables next = new SimulatedTables(this, row);
    EntryId directory = removed.first();
    List<Entry> below = next.below(directory);
    for (Entry entry : below.subList(0, Math.min(most, below.size()))) {
      next.delete(EntryTable.keyOf(entry));
      if (entry instanceof VirtualDirectory found && found.owner().isEmpty()) {
        next.removed.add(found.id());
      }
    }
    if (below.size() <= most) {
      next.removed.remove(directory);
      if (delegated.containsKey(directory)) {
        next.counts.computeIfPresent(directory, (id, count) -> new DirectoryCountTable.Row(0, count.height()));
      } else {
        next.counts.remove(directory);
      }
    }
    return next;
  }

  // ---- reading

  private List<Entry> below(EntryId directory) {
    return entries.values().stream()
        .filter(entry -> !entry.isRoot() && entry.binding().parent().equals(directory))
        .sorted(java.util.Comparator.comparing(entry -> entry.binding().name().toString())).toList();
  }

  @Override
  public Position position() {
    return row.position();
  }

  @Override
  public Map<EntryKey, Entry> find(Collection<EntryKey> keys) {
    Map<EntryKey, Entry> found = new HashMap<>();
    for (EntryKey key : keys) {
      Entry entry = entries.get(key);
      if (entry != null) {
        found.put(key, entry);
      }
    }
    return found;
  }

  @Override
  public Map<EntryKey, Optional<Entry>> findPath(EntryKey key, List<EntryName> below) {
    Map<EntryKey, Optional<Entry>> found = new HashMap<>();
    Entry entry = entries.get(key);
    found.put(key, Optional.ofNullable(entry));
    for (int i = 0; i < below.size() && entry instanceof VirtualDirectory; i++) {
      EntryKey next = new EntryKey(entry.id().value(), below.get(i));
      entry = entries.get(next);
      found.put(next, Optional.ofNullable(entry));
    }
    return found;
  }

  @Override
  public @Nullable Entry find(EntryId id) {
    EntryKey place = places.get(id);
    return place == null ? null : entries.get(place);
  }

  @Override
  public Map<EntryId, Entry> findIds(Collection<EntryId> ids) {
    Map<EntryId, Entry> found = new HashMap<>();
    for (EntryId id : ids) {
      Entry entry = find(id);
      if (entry != null) {
        found.put(id, entry);
      }
    }
    return found;
  }

  @Override
  public Map<EntryId, DirectoryCountTable.Row> counts(Collection<EntryId> directories) {
    Map<EntryId, DirectoryCountTable.Row> found = new HashMap<>();
    directories.forEach(id -> found.put(id, counts.getOrDefault(id, new DirectoryCountTable.Row(0, 0))));
    return found;
  }

  List<DelegatedDirectoryTable.Row> delegations() {
    return List.copyOf(delegated.values());
  }

  @Override
  public List<EntryId> delegated() {
    return List.copyOf(delegated.keySet());
  }

  @Override
  public long copiedSince(EntryId directory) {
    DelegatedDirectoryTable.Row known = delegated.get(directory);
    return known == null ? 0 : known.copiedSince();
  }

  @Override
  public List<Departure> departures(int group) {
    return List.of();
  }

  @Override
  public Map<RequestKey, AnsweredRequest> answered(Collection<RequestKey> keys) {
    Map<RequestKey, AnsweredRequest> found = new HashMap<>();
    for (RequestKey key : keys) {
      AnsweredRequest answer = answers.get(key);
      if (answer != null) {
        found.put(key, answer);
      }
    }
    return found;
  }

  @Override
  public long answersBefore(Instant since) {
    return 0;
  }

  @Override
  public Given answers(long after, int rows) {
    Map<Long, List<AnsweredRequest>> given = answerLog.subMap(after, false, Math.max(after, row.lastAnswers()), true);
    List<AnsweredRequest> all = given.values().stream().flatMap(List::stream).toList();
    // As they come from the column.
    return new Given(RequestLogTable.readAll(RequestLogTable.write(all)), given.isEmpty() ? after : row.lastAnswers(),
        rows);
  }

  @Override
  public List<LoggedChange> changes(Position after, int rows) {
    return List.copyOf(log.subList((int) after.sequence() - 1, (int) row.position().sequence() - 1));
  }

  @Override
  public void subtree(EntryId directory, Predicate<EntryId> enters, SubtreeRows.Sink sink) {
    Deque<EntryId> directories = new ArrayDeque<>(List.of(directory));
    while (!directories.isEmpty()) {
      for (Entry entry : below(directories.remove())) {
        sink.take(entry);
        if (entry instanceof VirtualDirectory found && found.owner().isEmpty() && enters.test(found.id())) {
          directories.add(found.id());
        }
      }
    }
  }

  @Override
  public boolean isBeingDeleted(EntryId directory) {
    return removed.contains(directory);
  }

  @Override
  public boolean isCleared() {
    return pretendsToBeCleared || removed.isEmpty();
  }

  /** The same state, which hides that something is still to be deleted. */
  SimulatedTables asCleared() {
    SimulatedTables same = new SimulatedTables(this, row);
    same.pretendsToBeCleared = true;
    return same;
  }

  // ---- as a source of entries

  @Override
  public TreeAccess access() {
    return access;
  }

  /** The same state, as one caller may see it. */
  EntrySource readBy(TreeAccess caller) {
    return new SimulatedTables(this, caller);
  }

  @Override
  public CachedBinding peek(EntryKey key) {
    return CachedBinding.of(entries.get(key));
  }

  @Override
  public void load(Collection<EntryKey> keys) {
    // All of it is known.
  }

  @Override
  public void loadPath(EntryKey key, List<EntryName> below) {
    // All of it is known.
  }

  @Override
  public @Nullable Entry findBelowRoot(EntryId id) {
    return find(id);
  }

  @Override
  public long count(EntryId directory) {
    return counts(List.of(directory)).get(directory).entries();
  }
}
