package io.rns.server.namespace;

import io.rns.api.ArriveRequest;
import io.rns.api.Caller;
import io.rns.api.Change.Kind;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.DelegatedDirectoryTable;
import io.rns.server.store.DepartureTable.Departure;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import io.rns.server.store.GroupTable.GroupRow;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.LoggedChange.Place;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tree as a write transaction is making it: committed entries, read through the cache, under the changes of the
 * transaction so far. Requests are applied here in memory, one after the other, and go to the database together in a
 * few statements whose number does not depend on how many requests there are.
 *
 * <p>That is exact because no other server writes: the transaction fails if one has, see {@link WriteTransaction}.
 * Belongs to the writer's thread.
 */
final class Draft implements EntrySource {
  /**
   * Of one transaction, as many changed keys as still are the work of clients that go on with what they have written.
   */
  private static final int MOST_KEPT = 256;

  private final Heights heights;
  private final GroupRow before;
  private final Instant time;
  private final boolean assuming;
  private boolean doubtsIdentities;

  private final CommittedTree committed;
  private final Map<EntryKey, CachedBinding> changed = new LinkedHashMap<>();
  private final Map<EntryId, Optional<EntryKey>> changedPlaces = new HashMap<>();
  private final Map<EntryId, Long> countDifferences = new LinkedHashMap<>();
  private final Map<EntryId, Integer> raised = new LinkedHashMap<>();
  private final List<EntryId> removedDirectories = new ArrayList<>();
  private final DelegatedDirectories delegated;
  private final Departures departures;
  /** Entries that begin to move, and empty those that no longer do. */
  private final Map<EntryId, Optional<Departure>> changedDepartures = new LinkedHashMap<>();
  private Positions reflected;
  private final Map<EntryId, DelegatedDirectoryTable.Row> delegations = new LinkedHashMap<>();
  private final Map<EntryId, Boolean> undelegated = new LinkedHashMap<>();
  private final List<LoggedChange> changes = new ArrayList<>();
  private final Map<EntryId, Optional<RnsPath>> paths = new HashMap<>();
  private final Deque<Runnable> undo = new ArrayDeque<>();
  private long lastEntry;
  private TreeAccess access = TreeAccess.ALL;

  /**
   * A draft without changes.
   *
   * @param assuming whether names that are added may be taken for new ones without asking: the database refuses the
   *        whole transaction if one is not
   */
  Draft(
      GroupRows rows,
      EntryCache cache,
      Heights heights,
      DelegatedDirectories delegated,
      Departures departures,
      GroupRow before,
      Instant time,
      boolean assuming) {
    this.committed = new CommittedTree(rows, cache, before);
    this.heights = heights;
    this.delegated = delegated;
    this.departures = departures;
    this.reflected = before.reflected();
    this.before = before;
    this.time = time;
    this.assuming = assuming;
    this.lastEntry = before.lastEntry();
  }

  /** The time of all changes of the transaction. */
  Instant time() {
    return time;
  }

  /** The position after the changes so far. */
  Position position() {
    Position old = before.position();
    return new Position(old.group(), old.epoch(), old.sequence() + changes.size());
  }

  // ---- reading

  @Override
  public TreeAccess access() {
    return access;
  }

  /** From here on reads are those of a caller with this access. */
  void readAs(TreeAccess other) {
    access = other;
  }

  @Override
  public @Nullable CachedBinding peek(EntryKey key) {
    CachedBinding known = changed.get(key);
    return known != null ? known : committed.peek(key);
  }

  @Override
  public void load(Collection<EntryKey> keys) {
    committed.load(keys);
  }

  @Override
  public void loadPath(EntryKey key, List<EntryName> below) {
    committed.loadPath(key, below);
  }

  /** Whether {@link #findToAdd} may take a name for a new one. */
  boolean assumes() {
    return assuming;
  }

  /** An identity may have been taken for a new one by a request that was refused. */
  void doubtIdentities() {
    doubtsIdentities = true;
  }

  /** The entry of a key under which one is added next if there is none. */
  @Nullable
  Entry findToAdd(EntryKey key) {
    if (assuming && !changed.containsKey(key)) {
      committed.assumeMissing(key);
    }
    return Resolution.find(this, key);
  }

  /** What is committed; to be asked for what a request needs before it is applied. */
  CommittedTree committed() {
    return committed;
  }

  @Override
  public @Nullable Entry findBelowRoot(EntryId id) {
    Optional<EntryKey> place = changedPlaces.get(id);
    if (place == null) {
      return committed.find(id);
    }
    return place.map(key -> Resolution.find(this, key)).orElse(null);
  }

  /** The same as {@link CommittedTree#stored}, with the changes of this transaction. */
  @Nullable
  Entry findStored(EntryId id) {
    return changedPlaces.containsKey(id) ? findBelowRoot(id) : committed.stored(id);
  }

  @Override
  public long count(EntryId directory) {
    return committed.directory(directory).entries() + countDifferences.getOrDefault(directory, 0L);
  }

  /** How many levels of entries a directory has below it, at most: a level that it once had counts. */
  int height(EntryId directory) {
    int known = Math.max(heights.atLeast(directory), raised.getOrDefault(directory, 0));
    return known == Heights.MOST || committed.isNew(directory.value())
        ? known
        : Math.max(known, committed.directory(directory).height());
  }

  // ---- changing

  /** An identity that no entry has had. */
  EntryId newId() {
    lastEntry++;
    return new EntryId(((long) before.position().group() << CommittedTree.GROUP_SHIFT) | lastEntry);
  }

  /** The version of the entry that the next change makes. */
  long nextVersion() {
    return before.position().sequence() + changes.size() + 1;
  }

  /** The same for another version of an entry, which may come from a group that has counted further. */
  long nextVersion(Entry old) {
    return Math.max(nextVersion(), old.version() + 1);
  }

  /** A new entry. */
  void add(Entry entry) {
    add(entry, 0);
  }

  private void add(Entry entry, int height) {
    put(entry);
    if (entry instanceof VirtualDirectory directory && directory.owner().isPresent()) {
      noteOwner(directory);
    }
    count(entry, 1);
    raise(entry, height);
    log(Kind.ADDED, entry, place(entry), null);
  }

  /**
   * A directory whose entry belongs to another group.
   *
   * @param trace what is left of the entry, which was here once; null if it was not
   */
  void accept(@Nullable Entry trace, VirtualDirectory directory) {
    if (trace == null) {
      add(directory);
    } else {
      replace(trace, directory);
    }
    noteOwner(directory);
  }

  /** Another version of an entry, in its place. */
  void replace(Entry old, Entry entry) {
    replace(old, entry, 0);
  }

  /**
   * Another version of an entry, in its place or in another.
   *
   * @param height how many levels of entries are below it, where it goes to another directory
   */
  void replace(Entry old, Entry entry, int height) {
    EntryKey oldKey = EntryTable.keyOf(old);
    if (oldKey.equals(EntryTable.keyOf(entry))) {
      put(entry);
      log(Kind.CHANGED, entry, place(entry), null);
      if (!old.metadata().access().equals(entry.metadata().access())) {
        noteCuts();
      }
    } else {
      Place oldPlace = place(old);
      drop(old);
      put(entry);
      count(old, -1);
      count(entry, 1);
      raise(entry, height);
      paths.clear();
      log(Kind.MOVED, entry, place(entry), oldPlace);
    }
  }

  /**
   * Gives the content of an empty directory to another server group. How deep that will be is not known here: it, and
   * those above it, count as high as the tree may be.
   */
  VirtualDirectory delegate(VirtualDirectory old, int group) {
    VirtualDirectory entry = withOwner(old, OptionalInt.of(group), 0);
    change(raised, entry.id(), Heights.MOST);
    raise(entry, Heights.MOST);
    noteOwner(entry);
    replace(old, entry);
    return entry;
  }

  /** Another version of a directory, greater than a given one, too. */
  VirtualDirectory offer(VirtualDirectory old, long after) {
    VirtualDirectory entry = withOwner(old, old.owner(), after);
    replace(old, entry);
    return entry;
  }

  /**
   * Gives a directory with its content, which is to be deleted here, to another server group.
   *
   * @param after the version that the directory has there
   */
  VirtualDirectory give(VirtualDirectory old, int group, long after) {
    clearContent(old.id());
    change(raised, old.id(), Heights.MOST);
    raise(old, Heights.MOST);
    return own(old, OptionalInt.of(group), after);
  }

  /**
   * Has a directory say who owns its content.
   *
   * @param owner empty for this group
   * @param after a version than which the directory's is to be greater
   */
  VirtualDirectory own(VirtualDirectory old, OptionalInt owner, long after) {
    VirtualDirectory entry = withOwner(old, owner, after);
    noteOwner(entry);
    put(entry);
    log(Kind.CHANGED, entry, place(entry), null, true);
    return entry;
  }

  private VirtualDirectory withOwner(VirtualDirectory old, OptionalInt owner, long after) {
    return new VirtualDirectory(
        old.binding(), old.id(), Math.max(nextVersion(old), after + 1), old.created(), time, old.metadata(), -1, owner);
  }

  /** Keeps in mind which group owns the content of a directory. */
  void noteOwner(VirtualDirectory entry) {
    if (entry.owner().isPresent()) {
      int group = entry.owner().getAsInt();
      change(delegations, entry.id(), new DelegatedDirectoryTable.Row(entry.id(), group, entry.version(), 0));
    } else {
      change(undelegated, entry.id(), true);
    }
  }

  /** As {@link GroupRows#copiedSince}. */
  long copiedSince(EntryId directory) {
    DelegatedDirectoryTable.Row now = delegations.get(directory);
    return now != null ? now.copiedSince() : committed.copiedSince(directory);
  }

  /** Notes that of a directory, after {@link #own} or {@link #add}. */
  void copiedSince(EntryId directory, long since) {
    DelegatedDirectoryTable.Row now = Objects.requireNonNull(delegations.get(directory));
    change(
        delegations, directory, new DelegatedDirectoryTable.Row(directory, now.group(), now.epoch(), since));
  }

  /** The directories whose content other server groups own. */
  Set<EntryId> delegated() {
    Set<EntryId> all = new HashSet<>(delegated.all(committed::delegated));
    all.removeAll(undelegated.keySet());
    all.addAll(delegations.keySet());
    return all;
  }

  // ---- moves between server groups

  /** Positions of other server groups that the tree reflects, and {@link Positions#cuts} of this one. */
  Positions reflected() {
    return reflected;
  }

  void reflect(Positions others) {
    Positions old = reflected;
    reflected = old.with(others.without(before.position().group()));
    undo.push(() -> reflected = old);
  }

  /** The entries that are moving to other server groups. */
  Map<EntryId, Departure> departures() {
    Map<EntryId, Departure> all = new HashMap<>(departures.all(committed::departures));
    changedDepartures
        .forEach((id, departure) -> departure.ifPresentOrElse(now -> all.put(id, now), () -> all.remove(id)));
    return all;
  }

  /**
   * An entry begins to move to another server group.
   *
   * @param entry what that group is to have of it
   * @param caller who moves it
   */
  void depart(Entry old, Entry entry, int group, Target directory, Caller caller) {
    replace(old, MovingEntries.marked(old));
    Departure departure = new Departure(group, new ArriveRequest(entry, directory, position(), reflected, caller));
    change(changedDepartures, old.id(), Optional.of(departure));
  }

  /** An entry has come from another server group. */
  Entry arrive(ArriveRequest request, EntryId directory) {
    Entry entry = MovingEntries.arrived(request.entry(), directory, nextVersion(request.entry()), time);
    Entry former = Resolution.find(this, entry.id());
    if (former == null) {
      add(entry);
    } else {
      // A trace, a copy that was made while the content of a directory moved, or the entry itself: it is back before
      // this group has heard that it has left.
      replace(former, entry);
      if (entry instanceof VirtualDirectory now && delegated().contains(now.id())) {
        noteOwner(now);
      }
      change(changedDepartures, entry.id(), Optional.empty());
    }
    noteKnownElsewhere(entry);
    reflect(request.reflected().with(request.departed()));
    return entry;
  }

  /**
   * Other groups have known an entry, and may have something of it. If it is an empty directory, it counts as one that
   * had entries: so it is given to a group in a move, which takes care of what is there, and not at once.
   */
  void noteKnownElsewhere(Entry entry) {
    if (entry instanceof VirtualDirectory) {
      change(raised, entry.id(), Math.max(1, raised.getOrDefault(entry.id(), 0)));
      raise(entry, 1);
    }
  }

  /** A moving entry is in another server group now. */
  void leave(Entry marked, int group, Positions arrived) {
    replace(marked, MovingEntries.trace(marked, group, nextVersion(), time));
    change(changedDepartures, marked.id(), Optional.empty());
    reflect(arrived);
  }

  /** A moving entry stays what it was. */
  void stay(Entry marked) {
    replace(marked, MovingEntries.marked(marked));
    change(changedDepartures, marked.id(), Optional.empty());
  }

  /** An entry that leaves the tree; the entries below a directory leave with it. */
  void remove(Entry entry) {
    Place place = place(entry);
    drop(entry);
    if (entry instanceof VirtualDirectory directory) {
      paths.clear();
      if (directory.owner().isPresent()) {
        change(undelegated, entry.id(), true);
      }
      clear(entry.id());
    }
    count(entry, -1);
    log(Kind.REMOVED, entry, place, null);
  }

  /**
   * An entry that leaves its place and is settled in another one later, or in the same. Until then it is in a directory
   * that stays, with all that is below it: nothing comes loose if the second step never follows.
   */
  void lift(Entry entry, EntryId directory) {
    Place place = place(entry);
    Entry lifted = MovingEntries.lifted(entry, directory);
    drop(entry);
    put(lifted);
    paths.clear();
    count(entry, -1);
    count(lifted, 1);
    log(Kind.REMOVED, entry, place, null);
  }

  /** A lifted entry, as it is to be. */
  void settle(Entry lifted, Entry entry) {
    int height = entry instanceof VirtualDirectory ? height(entry.id()) : 0;
    drop(lifted);
    paths.clear();
    count(lifted, -1);
    add(entry, height);
  }

  /** Forgets that other groups own directories below a directory. */
  void forgetCuts(EntryId directory) {
    for (EntryId id : delegated()) {
      Entry cut = id.equals(directory) ? null : Resolution.find(this, id);
      if (cut != null && Resolution.isWithin(this, cut, directory)) {
        change(undelegated, id, true);
      }
    }
  }

  /** What a directory has, which stays, is to be deleted. */
  void clearContent(EntryId directory) {
    forgetCuts(directory);
    clear(directory);
  }

  /** Whether what a directory had is still to be deleted. */
  boolean isBeingDeleted(EntryId directory) {
    return removedDirectories.contains(directory) || committed.isBeingDeleted(directory);
  }

  /** What is left below a directory is to be deleted. */
  private void clear(EntryId directory) {
    removedDirectories.add(directory);
    undo.push(() -> removedDirectories.remove(removedDirectories.size() - 1));
  }

  private void put(Entry entry) {
    EntryKey key = EntryTable.keyOf(entry);
    change(changed, key, CachedBinding.of(entry));
    change(changedPlaces, entry.id(), Optional.of(key));
  }

  private void drop(Entry entry) {
    change(changed, EntryTable.keyOf(entry), CachedBinding.MISSING);
    change(changedPlaces, entry.id(), Optional.empty());
  }

  private void count(Entry entry, long difference) {
    if (!entry.isRoot()) {
      EntryId directory = entry.binding().parent();
      change(countDifferences, directory, countDifferences.getOrDefault(directory, 0L) + difference);
    }
  }

  /**
   * Makes the directories above an entry as high as it needs; stops at the first one that is, for those above it are,
   * too.
   */
  private void raise(Entry entry, int height) {
    Entry below = entry;
    for (int levels = height + 1; below != null && !below.isRoot(); levels++) {
      EntryId directory = below.binding().parent();
      int needed = Math.min(levels, Heights.MOST);
      if (Math.max(heights.atLeast(directory), raised.getOrDefault(directory, 0)) >= needed) {
        return;
      }
      change(raised, directory, needed);
      below = Resolution.find(this, directory);
    }
  }

  private void log(Kind kind, Entry entry, Place place, @Nullable Place oldPlace) {
    log(kind, entry, place, oldPlace, false);
  }

  private void log(Kind kind, Entry entry, Place place, @Nullable Place oldPlace, boolean movesContent) {
    Position position = new Position(before.position().group(), before.position().epoch(), nextVersion());
    changes.add(new LoggedChange(position, time, kind, entry.id().value(), place, oldPlace, movesContent));
    undo.push(() -> changes.remove(changes.size() - 1));
    boolean isCut = entry instanceof VirtualDirectory directory && directory.owner().isPresent();
    if (kind == Kind.MOVED || kind == Kind.REMOVED || movesContent || isCut) {
      noteCuts();
    }
  }

  /** Notes that, by now, paths may lead to other partitions, or other rules may hold there. */
  private void noteCuts() {
    boolean without =
        delegations.isEmpty() && undelegated.isEmpty() && delegated.all(committed::delegated).isEmpty();
    if (!without) {
      Positions old = reflected;
      reflected = old.withCuts(position());
      undo.push(() -> reflected = old);
    }
  }

  private Place place(Entry entry) {
    if (entry.isRoot()) {
      return new Place(EntryKey.ROOT, RnsPath.ROOT);
    }
    boolean hasPath = !MovingEntries.isLifted(entry);
    return new Place(EntryTable.keyOf(entry), hasPath ? path(entry.binding().parent()).orElse(null) : null);
  }

  /** Where a directory is now; empty if that is beyond the limits of paths. */
  private Optional<RnsPath> path(EntryId directory) {
    Optional<RnsPath> known = paths.get(directory);
    if (known == null) {
      known = climb(directory);
      paths.put(directory, known);
    }
    return known;
  }

  private Optional<RnsPath> climb(EntryId directory) {
    Deque<EntryName> names = new ArrayDeque<>();
    Optional<RnsPath> above = Optional.of(RnsPath.ROOT);
    // Trees made before there was a limit may be deeper than any path.
    for (EntryId at = directory; !at.equals(EntryId.ROOT) && names.size() <= Limits.PATH_DEPTH;) {
      Optional<RnsPath> known = paths.get(at);
      if (known != null) {
        above = known;
        break;
      }
      Entry entry = Resolution.find(this, at);
      if (entry == null) {
        return Optional.empty();
      }
      names.addFirst(entry.binding().name());
      at = entry.binding().parent();
    }
    return above.map(path -> RnsPath.belowOrNull(path, names));
  }

  private <K, V> void change(Map<K, V> map, K key, V value) {
    V old = map.put(key, value);
    undo.push(
        () -> {
          if (old == null) {
            map.remove(key);
          } else {
            map.put(key, old);
          }
        });
  }

  /** A state to come back to. */
  int mark() {
    return undo.size();
  }

  /** Takes back what was changed since a mark. */
  void rollback(int mark) {
    paths.clear();
    while (undo.size() > mark) {
      undo.pop().run();
    }
  }

  // ---- writing

  /** Whether anything is to be written. */
  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** All changes, in order. */
  List<LoggedChange> changes() {
    return List.copyOf(changes);
  }

  /** All changes, to be committed: whether they will be is not known from then on. */
  DraftRows rows() {
    Map<EntryId, Long> differences = new LinkedHashMap<>(countDifferences);
    differences.values().removeIf(difference -> difference == 0);
    List<EntryKey> deleted = new ArrayList<>();
    List<Entry> inserted = new ArrayList<>();
    changed.forEach(
        (key, known) -> {
          if (committed.find(key) != null) {
            deleted.add(key);
          }
          if (known.entry() != null) {
            inserted.add(known.entry());
          }
        });
    if (!delegations.isEmpty() || !undelegated.isEmpty()) {
      delegated.forget();
    }
    if (!changedDepartures.isEmpty()) {
      departures.forget();
    }
    return new DraftRows(
        deleted, inserted, differences, raised, undelegated.keySet(), delegations.values(), changedDepartures.keySet(),
        changedDepartures.values().stream().flatMap(Optional::stream).toList(), removedDirectories, changes);
  }

  /**
   * Makes sure of what was assumed: of names that are inserted the statements will show it, the others are looked up,
   * such as those of requests that were refused after all.
   *
   * @throws RnsException {@link RnsError#BUSY} if it was wrong
   */
  void checkAssumptions() {
    if (assuming && doubtsIdentities) {
      throw new RnsException(RnsError.BUSY, "an identity may have been taken for a new one and is not");
    }
    Set<EntryKey> assumed = committed.assumedMissing();
    List<EntryKey> notInserted = assumed.stream().filter(key -> !inserts(key)).toList();
    if (!notInserted.isEmpty()) {
      committed.load(notInserted);
    }
    if (assumed.stream().anyMatch(key -> committed.find(key) != null)) {
      throw new RnsException(RnsError.BUSY, "a name was taken for a new one and is not");
    }
  }

  private boolean inserts(EntryKey key) {
    CachedBinding now = changed.get(key);
    return now != null && now.entry() != null;
  }

  /** The number of the last entry made so far. */
  long lastEntry() {
    return lastEntry;
  }

  /** The keys that change. */
  Set<EntryKey> changedKeys() {
    return Set.copyOf(changed.keySet());
  }

  /** The identities whose entries change. */
  Set<EntryId> changedIds() {
    Set<EntryId> ids = new HashSet<>(changedPlaces.keySet());
    for (EntryKey key : changed.keySet()) {
      Entry entry = committed.find(key);
      if (entry != null) {
        ids.add(entry.id());
      }
    }
    return ids;
  }

  /** The directories that have more or fewer entries. */
  Set<EntryId> countedDirectories() {
    return Set.copyOf(countDifferences.keySet());
  }

  /** The heights that directories have reached. */
  Map<EntryId, Integer> raisedHeights() {
    return raised;
  }

  /** Whether content of directories comes from other server groups or goes there: what is known of it is void. */
  boolean movesContent() {
    return changes.stream().anyMatch(LoggedChange::movesContent);
  }

  /** Whether directories leave the tree. */
  boolean removesDirectories() {
    return !removedDirectories.isEmpty();
  }

  /**
   * What the next requests will most likely ask for, as it is after the transaction: the directories that it has read
   * or changed, and junctions that it has written, unless these are so many that it is part of an import.
   */
  Map<EntryKey, CachedBinding> toKeep() {
    Map<EntryKey, CachedBinding> kept = new HashMap<>(committed.known());
    kept.values().removeIf(known -> !(known.entry() instanceof VirtualDirectory));
    boolean many = changed.size() > MOST_KEPT;
    changed.forEach((key, now) -> {
      if (now.entry() instanceof VirtualDirectory || (now.entry() != null && !many)) {
        kept.put(key, now);
      } else {
        kept.remove(key);
      }
    });
    return kept;
  }
}
