package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What callers are told of writes and positions is so, whatever fails around the commit. */
@Tag("server")
class CommittedWritesTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final CallContext CALL = CallContext.ANONYMOUS;

  private final String root = "/committed-" + System.nanoTime();
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() {
    // A batch that waits for a lock must not begin anew with what came meanwhile.
    database = new Database(TestDatabase.impatient(TestDatabase.sharedUrl(), BOUND));
    service = TestServices.start(database);
    add(CALL, root + "/there");
  }

  @AfterEach
  void close() {
    service.close();
    database.close();
  }

  private Answer<List<Outcome<Entry>>> add(CallContext call, String path) {
    NewEntry entry = NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:x"));
    return service.add(call, AddRequest.of(entry).withParents());
  }

  private boolean isThere(String path) {
    return service.query(CALL, QueryRequest.of(Target.of(path))).value().get(0) instanceof Outcome.Done<Entry>;
  }

  @Test
  void whatWasDoneIsReportedAlthoughTheConnectionIsLostWhenItIsGivenBack() throws Exception {
    try (Connection other = DriverManager.getConnection(TestDatabase.sharedUrl())) {
      assertThat(database.<Integer>write(connection -> endSession(connection, other))).isEqualTo(7);
      assertThat(database.<Integer>readSnapshot(connection -> endSession(connection, other))).isEqualTo(7);
    }
    add(CALL, root + "/after").value().get(0).orThrow();
  }

  private static int endSession(Connection connection, Connection other) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT CONNECTION_ID() FROM server_group");
        Statement kill = other.createStatement()) {
      row.next();
      kill.execute("KILL CONNECTION " + row.getLong(1));
    }
    return 7;
  }

  @Test
  void aCommitWakesWhoWaitsForItsPosition() throws Exception {
    Position now = service.position();
    Positions next = Positions.of(new Position(now.group(), now.epoch(), now.sequence() + 1));
    FutureTask<Boolean> waiting = new FutureTask<>(() -> service.awaitServed(next, BOUND.plus(BOUND)));
    Thread thread = Thread.ofPlatform().start(waiting);
    Eventually.until("it waits", BOUND, () -> thread.getState() == Thread.State.TIMED_WAITING);
    add(CALL, root + "/awaited").value().get(0).orThrow();
    assertThat(waiting.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void oneAnswerThatCannotBeGivenTakesNothingFromTheOthers() throws Exception {
    RequestId id = RequestId.random();
    add(CALL.with(id), root + "/once");
    try (Connection other = DriverManager.getConnection(TestDatabase.sharedUrl());
        Statement statement = other.createStatement();
        ExecutorService threads = Executors.newCachedThreadPool()) {
      // Behind the id, the fingerprint and their lengths.
      int head = 1 + id.text().length() + 1 + 32 + 4;
      statement.executeUpdate(
          "UPDATE answer_log SET answers = CONCAT(LEFT(answers, " + head + "), REPEAT(CHAR(255), LENGTH(answers) - "
              + head + ")) ORDER BY answers_id DESC LIMIT 1");
      other.setAutoCommit(false);
      statement.executeQuery("SELECT * FROM server_group FOR UPDATE").close();
      // While the writer waits for the lock, the others come together into the next batch.
      FutureTask<?> first = new FutureTask<>(() -> add(CALL, root + "/first"));
      Thread caller = Thread.ofPlatform().start(first);
      Eventually.until(
          "the writer has something to do", BOUND,
          () -> caller.getState() == Thread.State.TIMED_WAITING && TestServices.isAtGroupRow(statement));
      // None if it is at the first one; one if it is at upkeep, and the first one goes with the others.
      int before = waiting();
      Future<?> repeated = threads.submit(() -> add(CALL.with(id), root + "/once"));
      Eventually.until("one waits", BOUND, () -> waiting() == before + 1);
      Future<Answer<List<Outcome<Entry>>>> beside = threads.submit(() -> add(CALL, root + "/beside"));
      Eventually.until("two wait", BOUND, () -> waiting() == before + 2);
      other.rollback();
      first.get();
      assertThat(beside.get().value().get(0).orThrow().displayName()).isEqualTo("beside");
      assertThatThrownBy(repeated::get)
          .cause()
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.TIMEOUT))
          .hasMessageContaining("may or may not have been applied");
    }
    assertThat(isThere(root + "/beside")).isTrue();
  }

  /** It was answered, and sessions that had seen it waited at this server until the next primary led. */
  @Test
  void aWriteThatEndsWhileThePrimaryStandsDownIsServedAtOnce() throws Exception {
    for (int attempt = 1; attempt <= 20; attempt++) {
      try (Connection other = DriverManager.getConnection(TestDatabase.sharedUrl());
          Statement statement = other.createStatement()) {
        Stopped last = stopped(other, statement);
        FutureTask<Long> change = standDown();
        other.rollback();
        Position made = last.write().get().position();
        if (change.get() < TimeUnit.SECONDS.toNanos(1)) {
          assertThat(service.hasServed(Positions.of(made))).isTrue();
          return;
        }
      }
      // The machine was slow, and the writer was not awaited.
      close();
      open();
    }
    throw new AssertionError("the writer took longer than a second each time");
  }

  /** It was shown as of the position before: at that position, the next read elsewhere did not show it. */
  @Test
  void aWriteThatEndsAfterThePrimaryHasStoodDownIsSeenWithItsPositionOnly() throws Exception {
    Stopped late;
    try (Connection other = DriverManager.getConnection(TestDatabase.sharedUrl());
        Statement statement = other.createStatement()) {
      late = stopped(other, statement);
      var unused = standDown().get();
      other.rollback();
    }
    Position made = late.write().get().position();
    assertThat(service.hasServed(Positions.of(made))).isFalse();
    assertThat(service.showsAll()).isFalse();
    FutureTask<Answer<List<Outcome<Entry>>>> read = new FutureTask<>(() -> queryUntilAnswered(late.path()));
    Thread reader = Thread.ofPlatform().start(read);
    Eventually.until(
        "it waits, or is answered", BOUND, () -> read.isDone() || reader.getState() == Thread.State.TIMED_WAITING);
    service.follow();
    assertThat(read.get().value().getFirst()).isInstanceOf(Outcome.Done.class);
    assertThat(read.get().position()).isGreaterThanOrEqualTo(made);
    assertThat(service.showsAll()).isTrue();
  }

  /** Stands down; the time that took, in nanoseconds. Returns once it has begun. */
  private FutureTask<Long> standDown() throws Exception {
    FutureTask<Long> change = new FutureTask<>(() -> {
      long began = System.nanoTime();
      service.standDown("the primary is changing");
      return System.nanoTime() - began;
    });
    Thread unused = Thread.ofPlatform().start(change);
    Eventually.until("it stands down", BOUND, () -> !service.isPrimary());
    return change;
  }

  /** A write that the writer is at, which ends when the lock of the group's row is given back. */
  private Stopped stopped(Connection other, Statement statement) throws Exception {
    other.setAutoCommit(false);
    for (int attempt = 1; attempt <= 100; attempt++) {
      String path = root + "/last-" + System.nanoTime();
      statement.executeQuery("SELECT * FROM server_group FOR UPDATE").close();
      FutureTask<Answer<List<Outcome<Entry>>>> write = new FutureTask<>(() -> add(CALL, path));
      Thread caller = Thread.ofPlatform().start(write);
      Eventually.until(
          "the writer has something to do", BOUND,
          () -> caller.getState() == Thread.State.TIMED_WAITING && TestServices.isAtGroupRow(statement));
      if (waiting() == 0) {
        return new Stopped(path, write);
      }
      // It is at upkeep.
      other.rollback();
      var unused = write.get();
    }
    throw new AssertionError("the writer was at upkeep each time");
  }

  private record Stopped(String path, FutureTask<Answer<List<Outcome<Entry>>>> write) {}

  private Answer<List<Outcome<Entry>>> queryUntilAnswered(String path) {
    while (true) {
      try {
        return service.query(CALL, QueryRequest.of(Target.of(path)));
      } catch (RnsException e) {
        assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE);
      }
    }
  }

  private int waiting() {
    return service.statistics().get("writesWaiting").intValue();
  }

  /** The writer ends between the moment in which a write is let in and the one in which it is in the queue. */
  @Test
  void writesThatComeWhileTheServiceStopsAreAnsweredAtOnce() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int round = 0; round < 10; round++) {
        List<Future<?>> writers = new ArrayList<>();
        LocalNameService stopping = service;
        int before = stopping.statistics().get("writesCommitted").intValue();
        for (int i = 0; i < 16; i++) {
          String path = root + "/r" + round + "-" + i + "-";
          writers.add(threads.submit(() -> addUntilRefused(stopping, path)));
        }
        Eventually.until(
            "writes go on", BOUND, () -> stopping.statistics().get("writesCommitted").intValue() > before + 20);
        stopping.close();
        for (Future<?> writer : writers) {
          try {
            writer.get(10, TimeUnit.SECONDS);
          } catch (TimeoutException e) {
            throw new AssertionError("a write waits for a writer that has ended", e);
          }
        }
        service = TestServices.start(database);
      }
    }
  }

  private static void addUntilRefused(LocalNameService names, String path) {
    for (int i = 0;; i++) {
      try {
        names.add(CALL, AddRequest.of(NewEntry.directory(Target.of(path + i))).withParents());
      } catch (RnsException e) {
        assertThat(e.error()).as(e.getMessage()).isEqualTo(RnsError.UNAVAILABLE);
        return;
      }
    }
  }

  @Test
  void aPositionThatHasNeverBeenIsRefusedWhereNoOtherServerWrites() {
    Position now = service.position();
    Position epoch = new Position(now.group(), now.epoch() + 1, 1);
    Position sequence = new Position(now.group(), now.epoch(), now.sequence() + 1);
    for (Position never : List.of(epoch, sequence)) {
      assertRefused(() -> service.query(seen(never, Consistency.SESSION), QueryRequest.of(Target.of(root))), never,
          now);
      assertRefused(() -> service.list(seen(never, Consistency.SESSION), ListRequest.of(Target.of(root))), never, now);
      service.query(seen(never, Consistency.parse("any")), QueryRequest.of(Target.of(root)));
    }
    Position former = new Position(now.group(), now.epoch() - 1, now.sequence() + 1_000);
    for (Position once : List.of(now, former)) {
      service.query(seen(once, Consistency.SESSION), QueryRequest.of(Target.of(root)));
    }
  }

  private static void assertRefused(Runnable read, Position never, Position now) {
    assertThatThrownBy(read::run)
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST))
        .hasMessageContaining(never.toString())
        .hasMessageContaining(now.toString());
  }

  private static CallContext seen(Position position, Consistency consistency) {
    return CallContext.ANONYMOUS.with(consistency).withSeen(position);
  }
}
