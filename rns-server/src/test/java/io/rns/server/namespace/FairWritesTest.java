package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EndpointReference;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One caller beside others that write much, on a real database. */
@Tag("server")
@Timeout(120)
class FairWritesTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int IMPORTERS = 20;
  private static final int BATCH = 100;

  /** Entries of a transaction while several callers write, at most. */
  private static final int TRANSACTION = WriteQueue.SHARED_COST - 1 + BATCH;

  private final String root = "/fair-" + System.nanoTime();
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    service = TestServices.start(database);
    service.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of(root)))).value().get(0).orThrow();
  }

  @AfterEach
  void close() {
    service.close();
    database.close();
  }

  private static CallContext named(String name) {
    return new CallContext(new Caller("local:" + name, Set.of()), Optional.empty());
  }

  private Answer<?> add(CallContext call, String prefix, int items) {
    List<NewEntry> entries = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      entries.add(NewEntry.junction(Target.of(root + "/" + prefix + "-" + i), EndpointReference.ofAddress("urn:x")));
    }
    return service.add(call, new AddRequest(entries, false, false));
  }

  private int number(String statistic) {
    return service.statistics().get(statistic).intValue();
  }

  /**
   * Counted in entries that others write meanwhile, not in time: while one entry of the single caller is written, no
   * more than the transaction under way and its own. In a queue of all, it would be 4,000.
   */
  @Test
  void aSingleCallerBesideTwentyImporters() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicIntegerArray imported = new AtomicIntegerArray(IMPORTERS);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> importers = new ArrayList<>();
      for (int i = 0; i < IMPORTERS; i++) {
        int importer = i;
        importers.add(threads.submit(() -> {
          while (!done.get()) {
            add(named("importer-" + importer), "i" + importer + "-" + imported.incrementAndGet(importer), BATCH);
          }
        }));
      }
      Eventually.until("importers write", BOUND, () -> imported.get(0) > 1);
      List<Long> between = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        long before = service.position().sequence();
        between.add(add(named("single"), "single-" + i, 1).position().sequence() - before);
      }
      done.set(true);
      for (Future<?> importer : importers) {
        importer.get();
      }
      Collections.sort(between);
      assertThat(between.get(between.size() * 9 / 10)).as("of nine in ten").isLessThanOrEqualTo(2L * TRANSACTION);
    }
    List<Integer> batches = new ArrayList<>();
    for (int i = 0; i < IMPORTERS; i++) {
      batches.add(imported.get(i));
    }
    assertThat(Collections.max(batches) - Collections.min(batches)).as("equal parts: %s", batches)
        .isLessThanOrEqualTo(3);
  }

  @Test
  void aCallerWithTenThousandWritesKeepsNobodyOut() throws Exception {
    int most = TestServices.WRITER.queueRequests();
    int all = 10_000;
    AtomicInteger ok = new AtomicInteger();
    AtomicInteger busy = new AtomicInteger();
    try (Connection other = DriverManager.getConnection(TestDatabase.sharedUrl());
        Statement statement = other.createStatement();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      other.setAutoCommit(false);
      statement.executeQuery("SELECT * FROM server_group FOR UPDATE").close();
      List<Future<?>> writes = new ArrayList<>();
      for (int i = 0; i < all; i++) {
        int number = i;
        writes.add(threads.submit(() -> {
          try {
            add(named("many"), "m" + number, 1);
            ok.incrementAndGet();
          } catch (RnsException e) {
            assertThat(e.error()).as(e.getMessage()).isEqualTo(RnsError.BUSY);
            assertThat(e.retryMillis()).isPresent();
            busy.incrementAndGet();
          }
        }));
      }
      // Some are in the hands of the writer, which waits for the row.
      Eventually.until("the rest is refused", BOUND, () -> busy.get() >= all - most - 256);
      Eventually.until("the queue is full", BOUND, () -> number("writesWaiting") == most);
      List<Future<Answer<?>>> singles = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int number = i;
        singles.add(threads.submit(() -> add(named("single"), "s" + number, 1)));
      }
      Eventually.until("they wait, too", BOUND, () -> number("writersWaiting") == 2);
      assertThat(number("writesWaiting")).isEqualTo(most);
      long before = service.position().sequence();
      other.rollback();
      for (Future<Answer<?>> single : singles) {
        assertThat(single.get().position().sequence() - before).as("in the next transaction")
            .isLessThanOrEqualTo(2 * 256);
      }
      for (Future<?> write : writes) {
        write.get();
      }
    }
    assertThat(ok.get() + busy.get()).isEqualTo(all);
    assertThat(number("writesRefusedByShare")).isEqualTo(busy.get());
  }
}
