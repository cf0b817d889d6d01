package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The network swallows the writer's connection while its transaction holds the row of the group. */
@Tag("server")
class VanishedWriterTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  /** Far below what the database would hold the lock for by itself. */
  private static final Duration SECONDS = Duration.ofSeconds(15);

  private static final CallContext CALL = CallContext.ANONYMOUS;

  private final String root = "/vanished-" + System.nanoTime();
  private FaultyLink link;
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() throws Exception {
    String url = TestDatabase.sharedUrl();
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    link = new FaultyLink(port);
    database = new Database(TestDatabase.impatient(url.replace(":" + port + "/", ":" + link.port() + "/")));
    service = TestServices.start(database);
    add(service, root + "/before");
  }

  @AfterEach
  void close() throws Exception {
    link.close();
    service.close();
    database.close();
  }

  private static Answer<List<Outcome<Entry>>> add(LocalNameService names, String path) {
    NewEntry entry = NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:x"));
    return names.add(CALL, AddRequest.of(entry).withParents());
  }

  private static boolean isThere(LocalNameService names, String path) {
    return names.query(CALL, QueryRequest.of(Target.of(path))).value().get(0) instanceof Outcome.Done<Entry>;
  }

  private static boolean succeeds(Future<?> write) throws InterruptedException {
    try {
      write.get();
      return true;
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(RnsException.class);
      return false;
    }
  }

  @Test
  void anotherServerGoesOnWithinSeconds() throws Exception {
    link.swallow("INSERT INTO entry");
    try (ExecutorService threads = Executors.newCachedThreadPool();
        Database second = new Database(TestDatabase.impatient(TestDatabase.sharedUrl()))) {
      Future<?> lost = threads.submit(() -> add(service, root + "/lost"));
      Eventually.until("the connection is swallowed", BOUND, () -> link.swallowed() == 1);
      long began = System.nanoTime();
      try (LocalNameService successor = TestServices.start(second)) {
        add(successor, root + "/after").value().get(0).orThrow();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SECONDS);
        // The first server may have connected again, and written, just before the other one was the primary.
        assertThat(isThere(successor, root + "/lost")).isEqualTo(succeeds(lost));
        assertThatThrownBy(() -> add(service, root + "/late"))
            .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
        add(successor, root + "/still").value().get(0).orThrow();
      }
    }
  }

  @Test
  void theSameServerFindsOutThatNothingCameAndAppliesItOnceByAnotherConnection() throws Exception {
    long sequence = service.position().sequence();
    link.swallow("INSERT INTO entry");
    assertThat(add(service, root + "/lost").position().sequence()).isEqualTo(sequence + 1);
    assertThat(link.swallowed()).isEqualTo(1);
    assertThat(isThere(service, root + "/lost")).isTrue();
    assertThat(add(service, root + "/after").position().sequence()).isEqualTo(sequence + 2);
  }
}
