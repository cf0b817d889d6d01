package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Defects in the middle of the writer's work: whom they concern is told, all others are served, and the writer lives.
 */
@Tag("server")
class WriterFaultsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final CallContext CALL = CallContext.ANONYMOUS;

  private final String root = "/faults-" + System.nanoTime();

  /** How many of the next looks at the clock fail. */
  private final AtomicInteger failing = new AtomicInteger();

  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() {
    // A batch that waits for a lock must not begin anew with what came meanwhile.
    database = new Database(TestDatabase.impatient(TestDatabase.sharedUrl(), BOUND));
    database.migrate();
    InstantSource clock =
        () -> {
          if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new StackOverflowError("as a defect would");
          }
          return Instant.now();
        };
    service = LocalNameService.start(database, 1 << 20, TestServices.WRITER, clock);
    add(CALL, root).value().get(0).orThrow();
  }

  @AfterEach
  void close() {
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private Answer<List<Outcome<Entry>>> add(CallContext call, String path) {
    return service.add(call, AddRequest.of(NewEntry.directory(Target.of(path))));
  }

  /** A request that is in order until it is applied. */
  private Answer<List<Outcome<Entry>>> broken(boolean isLookedUp) {
    Target nowhere = new Target(null, RnsPath.ROOT);
    EntryChange change =
        isLookedUp
            ? EntryChange.metadata(nowhere, Metadata.NONE)
            : EntryChange.move(Target.of(root), nowhere, EntryName.of("moved"));
    EntryChange before = EntryChange.rename(Target.of(root + "/0"), EntryName.of("renamed"));
    return service.update(CALL, UpdateRequest.of(before, change));
  }

  private interface Write extends Callable<Answer<List<Outcome<Entry>>>> {}

  /**
   * Lets the writer take all of these writes at once, and one more before or with them, whose result is the first.
   *
   * @param waiting runs when all of them wait
   */
  private List<Future<Answer<List<Outcome<Entry>>>>> inOneBatch(List<Write> writes, Callable<?> waiting)
      throws Exception {
    List<Future<Answer<List<Outcome<Entry>>>>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool();
        var holder = DriverManager.getConnection(TestDatabase.sharedUrl());
        var statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.executeQuery("SELECT * FROM server_group FOR UPDATE").close();
      String path = root + "/first-" + System.nanoTime();
      var first = new FutureTask<>(() -> add(CALL, path));
      Thread caller = Thread.ofPlatform().start(first);
      results.add(first);
      // What follows waits for the writer and goes together.
      Eventually.until(
          "the writer waits for the lock", BOUND,
          () -> caller.getState() == Thread.State.TIMED_WAITING && TestServices.isAtGroupRow(statement));
      // None if it is at the first one; one if it is at upkeep, and the first one goes with the others.
      long before = writesWaiting();
      writes.forEach(write -> results.add(threads.submit(write)));
      Eventually.until("all wait", BOUND, () -> writesWaiting() == before + writes.size());
      waiting.call();
      holder.rollback();
    }
    return results;
  }

  @Test
  void aRequestThatFailsInABatchFailsAlone() throws Exception {
    add(CALL, root + "/0");
    for (boolean isLookedUp : new boolean[]{false, true}) {
      List<Write> writes = new ArrayList<>();
      String prefix = root + "/" + isLookedUp + "-";
      for (int i = 0; i < 10; i++) {
        String path = prefix + i;
        writes.add(() -> add(CALL, path));
      }
      writes.add(() -> broken(isLookedUp));
      for (int i = 10; i < 20; i++) {
        String path = prefix + i;
        writes.add(() -> add(CALL.with(RequestId.random()), path));
      }
      List<Future<Answer<List<Outcome<Entry>>>>> results = inOneBatch(writes, () -> null);
      assertThatThrownBy(results.remove(11)::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INTERNAL))
          .hasMessageContaining("not applied");
      assertAllDone(results);
      Outcome<Entry> zero = service.query(CALL, QueryRequest.of(Target.of(root + "/0"))).value().get(0);
      assertThat(zero).as("nothing of the failed one is applied").isInstanceOf(Outcome.Done.class);
    }
  }

  private static void assertAllDone(List<Future<Answer<List<Outcome<Entry>>>>> results) throws Exception {
    for (Future<Answer<List<Outcome<Entry>>>> result : results) {
      assertThat(result.get().value().get(0)).isInstanceOf(Outcome.Done.class);
    }
  }

  @Test
  void anAnswerThatCannotBeGivenFailsAlone() throws Exception {
    RequestId id = RequestId.random();
    String name = "repeated";
    add(CALL.with(id), root + "/" + name);
    int outcomeBytes = 46 + name.length();
    database.write(
        connection -> {
          try (var statement = connection.createStatement()) {
            int changed =
                statement.executeUpdate(
                    "UPDATE answer_log JOIN request_log USING (answers_id) SET answers = CONCAT(LEFT(answers,"
                        + " LENGTH(answers) - " + outcomeBytes + "), REPEAT(X'FF', " + outcomeBytes + "))"
                        + " WHERE request_id = '" + id.text() + "'");
            connection.commit();
            return changed;
          }
        });
    List<Write> writes = new ArrayList<>();
    writes.add(() -> add(CALL.with(id), root + "/" + name));
    for (int i = 0; i < 20; i++) {
      String path = root + "/beside-" + i;
      writes.add(() -> seen(add(CALL.with(RequestId.random()), path), path));
    }
    List<Future<Answer<List<Outcome<Entry>>>>> results = inOneBatch(writes, () -> null);
    assertThatThrownBy(results.remove(1)::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.TIMEOUT))
        .hasMessageContaining("its answer was lost");
    assertAllDone(results);
  }

  /** Checks that a caller who has his answer sees what he wrote. */
  private Answer<List<Outcome<Entry>>> seen(Answer<List<Outcome<Entry>>> answer, String path) {
    assertThat(service.hasServed(Positions.of(answer.position()))).isTrue();
    assertThat(service.query(CALL, QueryRequest.of(Target.of(path))).value().get(0)).isInstanceOf(Outcome.Done.class);
    return answer;
  }

  @Test
  void allThatWaitsWhenTheServiceClosesIsWrittenAndAnswered() throws Exception {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String path = root + "/last-" + i;
      writes.add(() -> add(CALL.with(RequestId.random()), path));
    }
    Thread closing = Thread.ofPlatform().unstarted(() -> service.close());
    List<Future<Answer<List<Outcome<Entry>>>>> results =
        inOneBatch(
            writes,
            () -> {
              closing.start();
              Eventually.until("it is closing", BOUND, () -> closing.getState() == Thread.State.TIMED_WAITING);
              return null;
            });
    closing.join();
    assertAllDone(results);
  }

  private long writesWaiting() {
    return service.statistics().get("writesWaiting").longValue();
  }

  @Test
  void aWriterThatFailsBetweenBatchesGoesOn() throws Exception {
    for (int failures : new int[]{1, 2, 5}) {
      failing.set(failures);
      String path = root + "/after-" + failures;
      RequestId id = RequestId.random();
      Eventually.until(
          "written after " + failures + " failures",
          BOUND,
          () -> {
            try {
              return add(CALL.with(id), path).value().get(0) instanceof Outcome.Done;
            } catch (RnsException e) {
              assertThat(e.error()).isIn(RnsError.INTERNAL, RnsError.TIMEOUT);
              return false;
            }
          });
      assertThat(service.query(CALL, QueryRequest.of(Target.of(path))).value().get(0)).isInstanceOf(Outcome.Done.class);
      assertThat(service.position().sequence()).isEqualTo(sequence());
    }
  }

  private long sequence() {
    return database.read(
        connection -> {
          try (var row = connection.createStatement().executeQuery("SELECT last_sequence FROM server_group")) {
            row.next();
            return row.getLong(1);
          }
        });
  }
}
