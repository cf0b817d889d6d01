package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.server.memory.RequestMemory;
import io.rns.server.store.ChangeLogTable;
import io.rns.server.store.ContentBudget;
import io.rns.server.store.Database;
import io.rns.server.store.DelegatedDirectoryTable;
import io.rns.server.store.DepartureTable;
import io.rns.server.store.DepartureTable.Departure;
import io.rns.server.store.DirectoryCountTable;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import io.rns.server.store.GroupTable;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.RemovedDirectoryTable;
import io.rns.server.store.RequestKey;
import io.rns.server.store.RequestLogTable;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import io.rns.server.store.RequestLogTable.Given;
import io.rns.server.store.SubtreeRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rows that a connection shows. */
record SqlRows(Connection connection) implements GroupRows {
  private static final String CONTENT = "what the request is about";

  /** Of a whole database. */
  static GroupSnapshots snapshots(Database database) {
    return new GroupSnapshots() {
      @Override
      public <T> T readSnapshot(Function<GroupRows, T> work) {
        while (true) {
          try {
            return database.readSnapshot(connection -> work.apply(new SqlRows(connection)));
          } catch (ContentBudget.NotItsTurn e) {
            // It has its turn until the request ends, so that happens once.
            RequestMemory.current().awaitTurn();
          }
        }
      }

      @Override
      public <T> T readAll(Function<GroupRows, T> work) {
        return database.readAll(connection -> work.apply(new SqlRows(connection)));
      }
    };
  }

  private interface Query<T extends @Nullable Object> {
    T run() throws SQLException;
  }

  private static <T extends @Nullable Object> T query(Query<T> query) {
    try {
      return query.run();
    } catch (SQLException e) {
      throw Database.error(e);
    }
  }

  @Override
  public Position position() {
    return query(() -> GroupTable.find(connection)).position();
  }

  @Override
  public Map<EntryKey, Entry> find(Collection<EntryKey> keys) {
    return query(() -> EntryTable.find(connection, keys, new ContentBudget(CONTENT)));
  }

  @Override
  public Map<EntryKey, Optional<Entry>> findPath(EntryKey key, List<EntryName> below) {
    return query(() -> EntryTable.findPath(connection, key, below, new ContentBudget(CONTENT)));
  }

  @Override
  public @Nullable Entry find(EntryId id) {
    return query(() -> EntryTable.find(connection, id));
  }

  @Override
  public Map<EntryId, Entry> findIds(Collection<EntryId> ids) {
    return query(() -> EntryTable.findIds(connection, ids, new ContentBudget(CONTENT)));
  }

  @Override
  public Map<EntryId, DirectoryCountTable.Row> counts(Collection<EntryId> directories) {
    return query(() -> DirectoryCountTable.find(connection, directories));
  }

  @Override
  public List<EntryId> delegated() {
    return query(() -> DelegatedDirectoryTable.all(connection)).stream().map(DelegatedDirectoryTable.Row::directory)
        .toList();
  }

  @Override
  public long copiedSince(EntryId directory) {
    return query(() -> DelegatedDirectoryTable.all(connection)).stream()
        .filter(row -> row.directory().equals(directory)).mapToLong(DelegatedDirectoryTable.Row::copiedSince)
        .findFirst().orElse(0);
  }

  @Override
  public List<Departure> departures(int group) {
    return query(() -> DepartureTable.all(connection, group));
  }

  @Override
  public Map<RequestKey, AnsweredRequest> answered(Collection<RequestKey> keys) {
    return query(() -> RequestLogTable.find(connection, keys));
  }

  @Override
  public long answersBefore(Instant since) {
    return query(() -> RequestLogTable.before(connection, since));
  }

  @Override
  public Given answers(long after, int rows) {
    return query(() -> RequestLogTable.after(connection, after, rows));
  }

  @Override
  public List<LoggedChange> changes(Position after, int rows) {
    return query(() -> ChangeLogTable.read(connection, after, rows));
  }

  @Override
  public void subtree(EntryId directory, Predicate<EntryId> enters, SubtreeRows.Sink sink) {
    query(
        () -> {
          SubtreeRows.read(connection, directory, enters, sink);
          return null;
        });
  }

  @Override
  public boolean isBeingDeleted(EntryId directory) {
    return query(() -> RemovedDirectoryTable.contains(connection, directory));
  }

  @Override
  public boolean isCleared() {
    return query(() -> RemovedDirectoryTable.isEmpty(connection));
  }
}
