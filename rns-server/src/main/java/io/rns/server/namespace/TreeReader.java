package io.rns.server.namespace;

import io.rns.api.Answer;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.memory.RequestMemory;
import io.rns.server.store.ContentBudget;
import io.rns.server.store.Database;
import io.rns.server.store.DirectoryCountTable;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import io.rns.server.store.EntryTable.Stretch;
import io.rns.server.store.GroupTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one consistent state, from the cache as far as it goes.
 *
 * <p>A read takes no lock, so that writes never wait for one, however long the database takes for it. If a publication
 * came in between, it runs again: what needs nothing but the cache, in the same way; what needs the database, in one
 * snapshot of it, together with the snapshot's position. If it loaded something of a commit that is on its way, it
 * waits for that commit's end first. On a replica commits are not announced; what was loaded is held against the
 * position that the database has by then, unless versions show that it is not newer.
 */
final class TreeReader {
  /** Runs without a snapshot; those that only read the cache take microseconds, and a publication seldom meets two. */
  private static final int ATTEMPTS = 4;

  /** The most first entries of a directory that are kept: a page of the default size, and whether there are more. */
  private static final int KEPT_ENTRIES = Limits.DEFAULT_PAGE_ENTRIES + 1;

  private static final Duration COMMIT_WAIT = Duration.ofSeconds(2);

  private final Database database;
  private final EntryCache cache;
  private final ServedPosition served;

  /** Whether the database is written by another server, or may be, so that it may show more than is served. */
  private volatile boolean following;

  TreeReader(Database database, EntryCache cache, ServedPosition served) {
    this.database = database;
    this.cache = cache;
    this.served = served;
  }

  void setFollowing(boolean followed) {
    following = followed;
  }

  /**
   * A result and a position it reflects.
   *
   * @param value the result
   * @param position every change up to it is in the result
   * @param reflected positions of other server groups that it reflects
   * @param statements to the database; 0 if everything was cached
   */
  record Read<T>(T value, Position position, Positions reflected, int statements) {
    /** As an answer. */
    Answer.Served<T> answer(long ageMillis) {
      return new Answer.Served<>(value, position, reflected.without(position.group()), ageMillis);
    }
  }

  /**
   * Runs a read, perhaps several times, until it has seen one state. Its request must no longer need what it read
   * before.
   *
   * @param access what whoever asks may do
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if it needs more content than an answer may have,
   *         {@link RnsError#BUSY} if other reads have what the server has room for
   */
  <T> Read<T> consistently(TreeAccess access, Function<PageSource, T> work) {
    return inTurn(budget -> consistently(access, work, budget));
  }

  /** A read of several statements. */
  @FunctionalInterface
  interface SnapshotWork<T> {
    /** Reads, all of it as of one moment. */
    T with(PageSource source, Connection connection, ContentBudget budget) throws SQLException;
  }

  /**
   * Runs a read of several statements in one snapshot of the database; otherwise as {@link #consistently}.
   *
   * @throws RnsException as there
   */
  <T> Read<T> inSnapshot(TreeAccess access, SnapshotWork<T> work) {
    return inTurn(budget -> snapshot(access, work, budget));
  }

  private static <T> Read<T> inTurn(Function<ContentBudget, Read<T>> work) {
    RequestMemory memory = RequestMemory.current();
    memory.dropRead();
    ContentBudget budget = new ContentBudget("the answer");
    while (true) {
      try {
        Read<T> read = work.apply(budget);
        budget.keep();
        return read;
      } catch (ContentBudget.NotItsTurn e) {
        budget.reset();
        memory.awaitTurn();
      } finally {
        budget.reset();
      }
    }
  }

  private <T> Read<T> consistently(TreeAccess access, Function<PageSource, T> work, ContentBudget budget) {
    int statements = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      budget.reset();
      CachedSource source = new CachedSource(access, budget);
      long stamp = cache.stamp();
      T value = work.apply(source);
      ServedPosition.State state = served.state();
      statements += source.statements;
      if (source.ahead != null) {
        awaitServed(source.ahead);
      } else if (source.sawAnnounced) {
        awaitCommit();
      } else if (cache.isUnchangedSince(stamp)) {
        return new Read<>(value, state.position(), state.reflected(), statements);
      } else if (source.statements > 0) {
        // It would most likely be met by a publication again.
        break;
      }
    }
    Read<T> read = snapshot(access, (source, connection, all) -> work.apply(source), budget);
    return new Read<>(read.value(), read.position(), read.reflected(), statements + read.statements());
  }

  private <T> Read<T> snapshot(TreeAccess access, SnapshotWork<T> work, ContentBudget budget) {
    Read<T> read =
        database.readSnapshot(
            connection -> {
              budget.reset();
              long stamp = cache.stamp();
              // The position first: the snapshot begins with it.
              GroupTable.GroupRow group = GroupTable.find(connection);
              Position position = group.position();
              boolean cached = position.equals(served.position());
              SnapshotSource source = new SnapshotSource(access, connection, budget, cached ? stamp : 0);
              T value = work.with(source, connection, budget);
              return new Read<>(value, position, group.reflected(), 1 + source.statements);
            });
    if (!served.hasReached(read.position())) {
      // The commit was seen before it is published: later reads here must see it, too.
      awaitServed(read.position());
      EntryCache.Announced announced = cache.announced();
      if (!served.hasReached(read.position()) && announced != null && announced.isInDoubt()) {
        throw inDoubt();
      }
    }
    return read;
  }

  private static RnsException inDoubt() {
    // The database may show what it takes back when another one takes over.
    return new RnsException(RnsError.UNAVAILABLE, "a write may have changed this; the result is not known yet");
  }

  private void awaitServed(Position ahead) {
    try {
      boolean reached = served.await(ahead, COMMIT_WAIT);
      if (!reached && following) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            "what the database has here is not served yet: too few servers are known to have it, or another server is"
                + " the primary");
      }
      // At the primary the next attempt decides, as below.
    } catch (InterruptedException e) {
      throw stopping(e);
    }
  }

  private static RnsException stopping(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
  }

  private void awaitCommit() {
    EntryCache.Announced announced = cache.announced();
    if (announced == null) {
      return;
    }
    try {
      // Past the bound the next attempt decides; the last one needs no commit to end.
      boolean over = announced.over().await(COMMIT_WAIT.toMillis(), TimeUnit.MILLISECONDS);
      if (!over && announced.isInDoubt()) {
        throw inDoubt();
      }
    } catch (InterruptedException e) {
      throw stopping(e);
    }
  }

  /** What the database has for keys. */
  private static Map<EntryKey, CachedBinding> bindings(
      Connection connection, Collection<EntryKey> keys, ContentBudget budget) throws SQLException {
    Map<EntryKey, Entry> found = EntryTable.find(connection, keys, budget);
    Map<EntryKey, CachedBinding> known = HashMap.newHashMap(keys.size());
    keys.forEach(key -> known.put(key, CachedBinding.of(found.get(key))));
    return known;
  }

  /** What the database has for a key and below it. */
  private static Map<EntryKey, CachedBinding> bindings(
      Connection connection, EntryKey first, List<EntryName> below, ContentBudget budget) throws SQLException {
    Map<EntryKey, CachedBinding> known = new HashMap<>();
    EntryTable.findPath(connection, first, below, budget)
        .forEach((key, entry) -> known.put(key, CachedBinding.of(entry.orElse(null))));
    return known;
  }

  /** The cache, with the database behind it, for one read. */
  private final class CachedSource implements PageSource {
    private final TreeAccess access;
    private final ContentBudget budget;
    private final CacheHits hits;
    private final Map<EntryKey, CachedBinding> loaded = new HashMap<>(4);

    CachedSource(TreeAccess access, ContentBudget budget) {
      this.access = access;
      this.budget = budget;
      this.hits = new CacheHits(budget);
    }

    /** The first entries of the directory that is listed, as far as they have been read, and since when. */
    private final List<Entry> first = new ArrayList<>(0);
    private long firstSince;

    /** To the database. */
    private int statements;

    private boolean sawAnnounced;

    /** What the database had when something was read that may be newer than what is served. */
    private @Nullable Position ahead;

    @Override
    public TreeAccess access() {
      return access;
    }

    @Override
    public @Nullable CachedBinding peek(EntryKey key) {
      CachedBinding known = cache.peek(key);
      if (known == null) {
        return loaded.isEmpty() ? null : loaded.get(key);
      }
      hits.take(known);
      return known;
    }

    private <V extends @Nullable Object> V read(Database.Work<V> work, Predicate<V> isServed) {
      statements++;
      return database.read(
          connection -> {
            V found = work.with(connection);
            if (following && !isServed.test(found)) {
              Position position = GroupTable.find(connection).position();
              if (!served.hasReached(position)) {
                ahead = position;
              }
            }
            return found;
          });
    }

    private <V> V read(Database.Work<V> work) {
      return read(work, found -> false);
    }

    /**
     * Whether an entry that the database has is served: it has been as it is since its last change, whose number it
     * tells.
     */
    private boolean isServed(@Nullable Entry entry) {
      return entry != null && !MovingEntries.isMoving(entry)
          && entry.version() <= served.position().sequence();
    }

    @Override
    public @Nullable CachedPage peekPage(EntryId directory, int most) {
      CachedPage page = cache.peekPage(directory);
      if (page == null || !page.has(most)) {
        return null;
      }
      CachedPage first = page.first(most);
      awaitTurn(first.contentBytes());
      budget.take(first.contentBytes());
      return first;
    }

    @Override
    public Stretch page(EntryId directory, byte[] from, boolean inclusive, int most) {
      if (inclusive && from.length == 0) {
        first.clear();
        firstSince = cache.published();
      }
      Stretch stretch = read(connection -> EntryTable.list(connection, directory, from, inclusive, most, budget));
      EntryCache.Announced coming = cache.announced();
      sawAnnounced |= coming != null && coming.changesIn(directory);
      keepFirst(directory, from, stretch, stretch.entries().size() < most && !stretch.isCut());
      return stretch;
    }

    /** Keeps the first entries of a directory, if these are the first ones or follow them. */
    private void keepFirst(EntryId directory, byte[] from, Stretch stretch, boolean last) {
      boolean follow =
          first.isEmpty()
              ? from.length == 0
              : first.getLast().binding().equals(new Entry.Binding(directory, EntryName.ofUtf8(from)));
      if (follow && ahead == null && first.size() + stretch.entries().size() <= KEPT_ENTRIES) {
        first.addAll(stretch.entries());
        cache.keepPage(directory, new CachedPage(first, last), firstSince);
      }
    }

    @Override
    public void awaitTurn(long bytes) {
      RequestMemory memory = RequestMemory.current();
      if (memory.needsTurn(bytes)) {
        // No connection is held between two statements.
        memory.awaitTurn();
      }
    }

    @Override
    public void load(Collection<EntryKey> keys) {
      load(connection -> bindings(connection, keys, budget));
    }

    @Override
    public void loadPath(EntryKey key, List<EntryName> below) {
      load(connection -> bindings(connection, key, below, budget));
    }

    private void load(Database.Work<Map<EntryKey, CachedBinding>> work) {
      long since = cache.published();
      Map<EntryKey, CachedBinding> known =
          read(work, bindings -> bindings.values().stream().map(CachedBinding::entry).allMatch(this::isServed));
      known.values().forEach(hits::skip);
      loaded.putAll(known);
      EntryCache.Announced coming = cache.announced();
      sawAnnounced |= coming != null && known.keySet().stream().anyMatch(coming::changes);
      keep(known, since);
    }

    private void keep(Map<EntryKey, CachedBinding> known, long since) {
      if (ahead == null) {
        cache.keep(known, since);
      }
    }

    @Override
    public @Nullable Entry findBelowRoot(EntryId id) {
      EntryKey place = cache.peekPlace(id);
      Entry placed = place == null ? null : Resolution.find(this, place);
      if (placed != null && placed.id().equals(id)) {
        return placed;
      }
      long since = cache.published();
      Entry entry = read(connection -> EntryTable.find(connection, id), this::isServed);
      EntryCache.Announced coming = cache.announced();
      sawAnnounced |= coming != null && coming.changes(id);
      if (entry != null) {
        CachedBinding known = CachedBinding.of(entry);
        hits.take(known);
        keep(Map.of(EntryTable.keyOf(entry), known), since);
      }
      return entry;
    }

    @Override
    public long count(EntryId directory) {
      long count = read(connection -> DirectoryCountTable.find(connection, directory).entries());
      EntryCache.Announced announced = cache.announced();
      sawAnnounced |= announced != null && announced.counts(directory);
      return count;
    }
  }

  /** One state of the database, and the cache for as long as it holds the same state. */
  private final class SnapshotSource implements PageSource {
    private final TreeAccess access;
    private final Connection connection;
    private final ContentBudget budget;

    /** Since when the cache holds the state of the snapshot, as a stamp of it; 0 if it does not. */
    private final long stamp;

    private final CacheHits hits;
    private final Map<EntryKey, CachedBinding> loaded = new HashMap<>();
    private int statements;

    SnapshotSource(TreeAccess access, Connection connection, ContentBudget budget, long stamp) {
      this.access = access;
      this.connection = connection;
      this.budget = budget;
      this.hits = new CacheHits(budget);
      this.stamp = stamp;
    }

    @Override
    public TreeAccess access() {
      return access;
    }

    private <V extends @Nullable Object> V found(Lookup<V> lookup) {
      statements++;
      return run(lookup);
    }

    @Override
    public @Nullable CachedPage peekPage(EntryId directory, int most) {
      return null;
    }

    @Override
    public Stretch page(EntryId directory, byte[] from, boolean inclusive, int most) {
      return found(() -> EntryTable.list(connection, directory, from, inclusive, most, budget));
    }

    @Override
    public void awaitTurn(long bytes) {
      ContentBudget.expect(bytes);
    }

    @Override
    public @Nullable CachedBinding peek(EntryKey key) {
      CachedBinding known = loaded.get(key);
      if (known == null) {
        CachedBinding cached = cache.peek(key);
        if (cached != null && cache.isUnchangedSince(stamp)) {
          known = cached;
          hits.take(known);
          // Known from here on, whatever is published.
          loaded.put(key, known);
        }
      }
      return known;
    }

    @Override
    public void load(Collection<EntryKey> keys) {
      loaded.putAll(found(() -> bindings(connection, keys, budget)));
    }

    @Override
    public void loadPath(EntryKey key, List<EntryName> below) {
      loaded.putAll(found(() -> bindings(connection, key, below, budget)));
    }

    @Override
    public @Nullable Entry findBelowRoot(EntryId id) {
      Entry entry = found(() -> EntryTable.find(connection, id));
      hits.take(CachedBinding.of(entry));
      return entry;
    }

    @Override
    public long count(EntryId directory) {
      return found(() -> DirectoryCountTable.find(connection, directory).entries());
    }
  }

  private interface Lookup<T extends @Nullable Object> {
    T run() throws SQLException;
  }

  private static <T extends @Nullable Object> T run(Lookup<T> lookup) {
    try {
      return lookup.run();
    } catch (SQLException e) {
      throw Database.error(e);
    }
  }
}
