package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.Database;
import io.rns.server.store.DirectoryCountTable;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import io.rns.server.store.GroupTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one consistent state, from the cache as far as it goes.
 *
 * <p>A read first runs without a lock. If a publication came in between, it runs again and keeps publications out; if it
 * loaded something of a commit that is on its way, it waits for that commit's end and runs again; if that happens over
 * and over, it reads everything from one snapshot of the database.
 */
final class TreeReader {
  private static final int ATTEMPTS = 4;
  private static final long COMMIT_WAIT_MILLIS = 2_000;

  private final Database database;
  private final EntryCache cache;
  private volatile Position published;

  TreeReader(Database database, EntryCache cache, Position published) {
    this.database = database;
    this.cache = cache;
    this.published = published;
  }

  /** The position whose changes every read sees. */
  Position published() {
    return published;
  }

  /** Part of a publication. */
  void advance(Position position) {
    published = position;
  }

  /**
   * A result and a position it reflects.
   *
   * @param value the result
   * @param position every change up to it is in the result
   */
  record Read<T>(T value, Position position) {}

  /** Runs a read, perhaps several times, until it has seen one state. */
  <T> Read<T> consistently(Function<EntrySource, T> work) {
    StampedLock publications = cache.publications();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      CachedSource source = new CachedSource();
      boolean undisturbed;
      Read<T> read;
      if (attempt == 0) {
        long stamp = publications.tryOptimisticRead();
        read = new Read<>(work.apply(source), published);
        undisturbed = publications.validate(stamp);
      } else {
        long stamp = publications.readLock();
        try {
          read = new Read<>(work.apply(source), published);
          undisturbed = true;
        } finally {
          publications.unlockRead(stamp);
        }
      }
      if (undisturbed && !source.sawAnnounced) {
        return read;
      }
      if (source.sawAnnounced) {
        awaitCommit();
      }
    }
    return database.readSnapshot(
        connection -> {
          // The position first: the snapshot begins with it.
          Position position = GroupTable.find(connection).position();
          return new Read<>(work.apply(new SnapshotSource(connection)), position);
        });
  }

  private void awaitCommit() {
    EntryCache.Announced announced = cache.announced();
    if (announced == null) {
      return;
    }
    try {
      // Past the bound the next attempt decides; the last one needs no commit to end.
      var unused = announced.over().await(COMMIT_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    }
  }

  /** The cache, with the database behind it. */
  private final class CachedSource implements EntrySource {
    private boolean sawAnnounced;

    @Override
    public @Nullable Entry find(EntryKey key) {
      return noted(load(key));
    }

    private EntryCache.Load<Entry> load(EntryKey key) {
      return cache.find(key, () -> database.read(connection -> EntryTable.find(connection, key)));
    }

    @Override
    public @Nullable Entry find(EntryId id) {
      return noted(cache.find(id, () -> database.read(connection -> EntryTable.find(connection, id)), this::load));
    }

    @Override
    public long count(EntryId directory) {
      long count = database.read(connection -> DirectoryCountTable.find(connection, directory));
      EntryCache.Announced announced = cache.announced();
      sawAnnounced |= announced != null && announced.counts(directory);
      return count;
    }

    private @Nullable Entry noted(EntryCache.Load<Entry> load) {
      sawAnnounced |= load.announced();
      return load.value();
    }
  }

  /** One state of the database. */
  private record SnapshotSource(Connection connection) implements EntrySource {
    @Override
    public @Nullable Entry find(EntryKey key) {
      return run(() -> EntryTable.find(connection, key));
    }

    @Override
    public @Nullable Entry find(EntryId id) {
      return run(() -> EntryTable.find(connection, id));
    }

    @Override
    public long count(EntryId directory) {
      return run(() -> DirectoryCountTable.find(connection, directory));
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
}
