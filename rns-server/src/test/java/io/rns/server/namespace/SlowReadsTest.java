package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import io.rns.server.store.DatabaseSettings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads for which the database takes long, beside writes and other reads. */
@Tag("server")
class SlowReadsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int READERS = 4;
  private static final CallContext CALL = CallContext.ANONYMOUS;

  private final String root = "/slow-reads-" + System.nanoTime();
  private final String marker = "marker-" + System.nanoTime();
  private FaultyLink link;
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() throws Exception {
    String url = TestDatabase.sharedUrl();
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    link = new FaultyLink(port);
    String linked = url.replace(":" + port + "/", ":" + link.port() + "/");
    Duration longer = BOUND.plus(BOUND);
    database =
        new Database(new DatabaseSettings(linked, "rns", "rns", 8, BOUND, longer, Duration.ofMinutes(30), BOUND, 0));
    service = TestServices.start(database);
    service.add(CALL, AddRequest.of(NewEntry.directory(Target.of(root))));
    service.add(CALL, AddRequest.of(NewEntry.directory(Target.of(root + "/slow"))));
    service.add(CALL, AddRequest.of(junction(root + "/slow/" + marker)));
  }

  @AfterEach
  void close() throws Exception {
    service.close();
    database.close();
    link.close();
  }

  private static NewEntry junction(String path) {
    return NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:" + path));
  }

  private Position add(String path) {
    Answer<List<Outcome<Entry>>> answer = service.add(CALL, AddRequest.of(junction(path)));
    answer.value().get(0).orThrow();
    return answer.position();
  }

  private Page list() {
    return service.list(CALL, ListRequest.of(Target.of(root + "/slow"))).value().orThrow();
  }

  /** The read is held at its first run, and again at each run that follows from a write that came in between. */
  @Test
  void noWriteWaitsForAReadThatTheDatabaseIsSlowWith() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      link.hold(marker);
      List<Future<Page>> listings = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        listings.add(threads.submit(this::list));
      }
      for (int run = 1; run <= 2; run++) {
        int held = READERS * run;
        Eventually.until("the answers of run " + run + " are held", BOUND, () -> link.held() == held);
        for (int i = 0; i < 20; i++) {
          long began = System.nanoTime();
          add(root + "/beside-" + run + "-" + i);
          assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
        }
        if (run == 1) {
          link.hold(marker);
        }
      }
      link.release();
      for (Future<Page> listing : listings) {
        assertThat(listing.get().entries()).hasSize(1);
      }
    }
  }

  /** What a read loads is kept although other keys are written all the time; what is written meanwhile is not. */
  @Test
  void whatIsLoadedBesideWritesIsKept() throws Exception {
    service.close();
    service = TestServices.start(database);
    QueryRequest query = QueryRequest.of(Target.of(root + "/slow/" + marker));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      link.hold(marker);
      Future<Answer<List<Outcome<Entry>>>> first = threads.submit(() -> service.query(CALL, query));
      Eventually.until("the answer is held", BOUND, () -> link.held() == 1);
      Position written = add(root + "/beside");
      link.release();
      assertThat(first.get().position()).isEqualTo(written);
      link.hold(marker);
      assertThat(service.query(CALL, query).value().get(0).orThrow()).isEqualTo(first.get().value().get(0).orThrow());
      link.release();
    }
  }
}
