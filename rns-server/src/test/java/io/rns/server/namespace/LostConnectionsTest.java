package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.local.DatabaseProcess;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads whose connections are ended, or refused, while a database becomes the primary of its group. */
@Tag("server")
@Tag("slow")
class LostConnectionsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir Path directory;
  private DatabaseProcess process;
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void start() {
    process = TestDatabase.own(directory);
    database = new Database(TestDatabase.impatient(TestDatabase.withAccount(process)));
    service = TestServices.start(database);
  }

  @AfterEach
  void stop() {
    service.close();
    database.close();
    process.close();
  }

  @Test
  void aReadWhoseConnectionIsEndedRunsAgain() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Database.Work<Integer> longOnce =
        connection -> {
          String wait = runs.getAndIncrement() == 0 ? "SELECT SLEEP(600)" : "SELECT 7";
          try (ResultSet row = connection.createStatement().executeQuery(wait)) {
            row.next();
            return row.getInt(1);
          }
        };
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<Integer> read = threads.submit(() -> database.read(longOnce));
      endConnections("INFO LIKE '%SLEEP(600)'");
      assertThat(read.get()).isEqualTo(7);
      runs.set(0);
      Future<Integer> snapshot = threads.submit(() -> database.readSnapshot(longOnce));
      endConnections("INFO LIKE '%SLEEP(600)'");
      assertThat(snapshot.get()).isEqualTo(7);
    }
  }

  @Test
  void aReadThatIsRefusedWhileAnotherDatabaseBecomesThePrimaryRunsAgain() {
    AtomicInteger runs = new AtomicInteger();
    int answer = database.read(connection -> runs.incrementAndGet() < 3 ? refuse(connection) : 7);
    assertThat(answer).isEqualTo(7);
    assertThatThrownBy(() -> database.read(LostConnectionsTest::refuse))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContaining("changing its primary");
  }

  @Test
  void aSnapshotThatCannotBeEndedIsNotReadFromAgain() {
    Position before =
        database.readSnapshot(
            connection -> {
              // In this state the database refuses to roll back, without ending the connection.
              connection.createStatement().execute("XA START 'open'");
              return GroupTable.find(connection).position();
            });
    NewEntry there = NewEntry.directory(Target.of("/there"));
    assertThat(service.add(CallContext.ANONYMOUS, AddRequest.of(there)).value().get(0))
        .isInstanceOf(Outcome.Done.class);
    // The pool gives a thread the connection that it had last.
    assertThat(database.group().position()).isGreaterThan(before);
  }

  /** As MySQL does during {@code group_replication_set_as_primary}. */
  private static int refuse(Connection connection) throws SQLException {
    connection.createStatement().execute("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 4094, MESSAGE_TEXT = 'blocked'");
    return 0;
  }

  @Test
  void aReadAfterAllConnectionsWereEndedIsAnswered() throws Exception {
    NewEntry there = NewEntry.directory(Target.of("/there"));
    assertThat(service.add(CallContext.ANONYMOUS, AddRequest.of(there)).value().get(0))
        .isInstanceOf(Outcome.Done.class);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      CyclicBarrier together = new CyclicBarrier(8);
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        readers.add(threads.submit(() -> database.read(connection -> meet(together))));
      }
      for (Future<Integer> reader : readers) {
        reader.get();
      }
    }
    endConnections("COMMAND = 'Sleep'");
    ListRequest all = ListRequest.of(Target.ROOT);
    assertThat(service.list(CallContext.ANONYMOUS, all).value().orThrow().entries()).hasSize(1);
  }

  private static int meet(CyclicBarrier barrier) {
    try {
      return barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends some of the service, as all are before a database becomes read-only. */
  private void endConnections(String which) throws Exception {
    try (Connection other = DriverManager.getConnection(TestDatabase.withAccount(process))) {
      Eventually.until("connections with " + which + " ended", BOUND, () -> endConnections(other, which) > 0);
    }
  }

  private static int endConnections(Connection other, String which) throws Exception {
    List<Long> ids = new ArrayList<>();
    String found =
        "SELECT ID FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND DB = DATABASE() AND " + which;
    try (ResultSet rows = other.createStatement().executeQuery(found)) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    for (long id : ids) {
      other.createStatement().execute("KILL CONNECTION " + id);
    }
    return ids.size();
  }
}
