package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.ChangeLogTable;
import io.rns.server.store.ContentBudget;
import io.rns.server.store.Database;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import io.rns.server.store.GroupTable;
import io.rns.server.store.LoggedChange;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the change log of a database that another one writes into: drops from the cache what has changed, then
 * advances the served position, then notifies watchers. One thread, however many readers wait. While there are some, it
 * loads what has changed before it lets them go: one statement for all of them, instead of two for each.
 */
final class LogTail implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);

  // Polling intervals: while readers wait, while changes come, and while none do.
  private static final long WAITED_FOR_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long TROUBLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long BUSY_FOR_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int STEP_ROWS = 64;

  /**
   * How long after a reader has waited changed entries are loaded at once: readers of their own writes come in droves.
   */
  private static final long LOAD_FOR_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Maximum keys loaded in one step, since waiting readers wait for them. */
  private static final int MOST_LOADED = 64;

  /** Behind more changes than these it is cheaper to forget all that is cached. */
  private static final int MOST_CHANGES = 50_000;

  private final Database database;
  private final EntryCache cache;
  private final ServedPosition served;
  private final ChangeFeed feed;
  private final LagWindow lag;
  private final InstantSource clock;
  private final Thread thread = Thread.ofPlatform().name("rns-log-tail").daemon().unstarted(this::run);
  private volatile boolean closed;
  private boolean inTrouble;

  /** A state of the database that was not confirmed when it was seen. */
  private GroupTable.@Nullable GroupRow unconfirmed;
  private long waitedForAt = System.nanoTime() - LOAD_FOR_NANOS;

  LogTail(
      Database database, EntryCache cache, ServedPosition served, ChangeFeed feed, LagWindow lag, InstantSource clock) {
    this.database = database;
    this.cache = cache;
    this.served = served;
    this.feed = feed;
    this.lag = lag;
    this.clock = clock;
  }

  void start() {
    served.onWait(() -> LockSupport.unpark(thread));
    thread.start();
  }

  private void run() {
    long advancedAt = System.nanoTime() - BUSY_FOR_NANOS;
    while (!closed) {
      long now = System.nanoTime();
      long pause;
      try {
        if (step()) {
          advancedAt = now;
        }
        inTrouble = false;
        pause = served.isWaitedFor() ? WAITED_FOR_NANOS : now - advancedAt < BUSY_FOR_NANOS ? BUSY_NANOS : IDLE_NANOS;
      } catch (RuntimeException e) {
        if (!inTrouble && !closed) {
          LOG.warn("the change log cannot be read: {}", e.getMessage());
        }
        inTrouble = true;
        pause = TROUBLE_NANOS;
      }
      LockSupport.parkNanos(this, pause);
    }
  }

  /**
   * Brings the cache up to what the database has now and is known to be at enough replicas.
   *
   * @return whether there was something new
   * @throws RnsException if the database is away
   */
  boolean step() {
    GroupTable.GroupRow confirmed = confirmed(database.read(GroupTable::find));
    return confirmed != null && advance(confirmed);
  }

  /**
   * Brings the cache up to all that the database has now, which is known to be at enough replicas.
   *
   * @throws RnsException if the database is away
   */
  void finish() {
    boolean unused = advance(database.read(GroupTable::find));
  }

  /**
   * The latest state that is known to stay, whoever leads, and was not returned before; null if there is none. A state
   * is confirmed by a later one, whose position seldom is then.
   */
  private GroupTable.@Nullable GroupRow confirmed(GroupTable.GroupRow now) {
    GroupTable.GroupRow before = unconfirmed;
    if (now.isConfirmed()) {
      unconfirmed = null;
      return now;
    }
    boolean comes = before != null && now.confirmed() >= before.position().sequence();
    if (before == null || comes) {
      unconfirmed = now;
    }
    return comes ? before : null;
  }

  private boolean advance(GroupTable.GroupRow group) {
    Position now = group.position();
    Position before = served.position();
    if (now.equals(before)) {
      served.advance(now, group.reflected(), group.beat());
      return false;
    }
    long behind = now.sequence() - before.sequence();
    List<LoggedChange> changes = behind <= 0 || behind > MOST_CHANGES ? List.of() : read(before, now);
    if (behind != changes.size()) {
      forget(group);
    } else {
      publish(changes, group);
    }
    served.wake();
    return true;
  }

  private List<LoggedChange> read(Position from, Position to) {
    List<LoggedChange> changes = new ArrayList<>();
    Position at = from;
    while (at.sequence() < to.sequence()) {
      Position known = at;
      List<LoggedChange> next = database.read(connection -> ChangeLogTable.read(connection, known, STEP_ROWS));
      if (next.isEmpty() || next.getFirst().position().sequence() != at.sequence() + 1) {
        // No longer kept.
        return List.of();
      }
      // A later transaction may have been committed meanwhile: it is for the next time.
      next.stream().filter(change -> change.position().sequence() <= to.sequence()).forEach(changes::add);
      at = next.getLast().position();
    }
    return changes;
  }

  private void publish(List<LoggedChange> changes, GroupTable.GroupRow group) {
    Position position = group.position();
    Set<EntryKey> keys = new HashSet<>();
    Set<EntryId> ids = new HashSet<>();
    for (LoggedChange change : changes) {
      ids.add(new EntryId(change.entryId()));
      addKeys(change, keys);
    }
    if (changes.stream().anyMatch(LoggedChange::movesContent)) {
      cache.clearAnd(() -> served.advance(position, group.reflected(), group.beat()));
    } else {
      publish(keys, ids, group);
    }
    feed.append(changes, position);
    if (!changes.isEmpty()) {
      lag.add(clock.instant(), changes.getLast().time());
    }
  }

  private void publish(Set<EntryKey> keys, Set<EntryId> ids, GroupTable.GroupRow group) {
    Position position = group.position();
    Map<EntryKey, CachedBinding> loaded = isRead() && keys.size() <= MOST_LOADED ? load(keys, position) : Map.of();
    cache.announce(keys, ids, Set.of()).publish(loaded,
        () -> served.advance(position, group.reflected(), group.beat()));
  }

  private static void addKeys(LoggedChange change, Set<EntryKey> keys) {
    keys.add(change.place().key());
    if (change.oldPlace() != null) {
      keys.add(change.oldPlace().key());
    }
  }

  /** Whether readers wait for changes, or did a moment ago. */
  private boolean isRead() {
    long now = System.nanoTime();
    if (served.isWaitedFor()) {
      waitedForAt = now;
    }
    return now - waitedForAt < LOAD_FOR_NANOS;
  }

  /** What keys have led to at a position; those are missing of which the database may show something later already. */
  private Map<EntryKey, CachedBinding> load(Set<EntryKey> keys, Position position) {
    Map<EntryKey, Entry> found;
    try {
      found = database.read(connection -> EntryTable.find(connection, keys, new ContentBudget("the changed entries")));
    } catch (RnsException e) {
      if (e.error() == RnsError.LIMIT_EXCEEDED) {
        // Readers load them when they need them.
        return Map.of();
      }
      throw e;
    }
    Position after = database.read(GroupTable::find).position();
    Set<EntryKey> changedSince = new HashSet<>();
    if (!after.equals(position)) {
      List<LoggedChange> later = read(position, after);
      if (later.size() != after.sequence() - position.sequence()) {
        return Map.of();
      }
      later.forEach(change -> addKeys(change, changedSince));
    }
    Map<EntryKey, CachedBinding> known = new HashMap<>();
    for (EntryKey key : keys) {
      if (!changedSince.contains(key)) {
        known.put(key, CachedBinding.of(found.get(key)));
      }
    }
    return known;
  }

  private void forget(GroupTable.GroupRow group) {
    Position position = group.position();
    LOG.info("the changes from {} to {} are skipped; the cache is cleared instead", served.position(), position);
    cache.clearAnd(() -> served.advance(position, group.reflected(), group.beat()));
    feed.skipTo(position);
  }

  @Override
  public void close() {
    closed = true;
    served.onWait(() -> {});
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    }
  }
}
