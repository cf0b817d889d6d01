package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

// A thread of its own: one that waits for a socket is not to be interrupted.
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RnsClientTest {
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);

  private static RnsClient.Builder of(TestServer server) {
    return RnsClient.builder().server(server.address()).firstPause(Duration.ofMillis(1));
  }

  private static AddRequest directory(String path) {
    return AddRequest.of(NewEntry.directory(Target.of(path)));
  }

  @ParameterizedTest
  @CsvSource({
      "http://h:8080/rns, http://h:8080/rns/services/rns",
      "http://h/rns/, http://h/rns/services/rns",
      "http://h, http://h/services/rns",
      "HTTPS://[::1]:1/a%20b//, https://[::1]:1/a%20b/services/rns",
  })
  void theSoapEndpointIsBelowTheServersAddress(URI server, URI endpoint) {
    assertThat(RnsClient.soapEndpoint(server)).isEqualTo(endpoint);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "rns", "//h/rns", "ftp://h/rns", "http:rns", "http:///rns", "http://h/rns?a=b",
      "http://h/#x"})
  void otherAddressesAreRefused(String server) {
    URI address = URI.create(server);
    assertThatThrownBy(() -> RnsClient.builder().server(address))
        .isInstanceOf(RnsException.class)
        .hasMessageContainingAll("server '" + server + "'", "http://host:8080/rns");
  }

  @Test
  void settingsAreBounded() {
    RnsClient.Builder builder = RnsClient.builder();
    List<Runnable> wrong =
        List.of(
            () -> builder.attempts(0),
            () -> builder.connections(0),
            () -> builder.deadline(Duration.ZERO),
            () -> builder.requestTimeout(Duration.ofMillis(-1)),
            () -> builder.connectTimeout(Duration.ofDays(2)),
            () -> builder.firstPause(Duration.ZERO));
    for (Runnable setting : wrong) {
      assertThatThrownBy(setting::run)
          .isInstanceOfSatisfying(
              RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
    }
  }

  @Test
  void aConnectionIsKept() {
    try (TestServer server = TestServer.start();
        NameService client = of(server).build()) {
      for (int i = 0; i < 50; i++) {
        client.add(CallContext.ANONYMOUS, directory("/" + i));
        assertThat(client.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of("/" + i + "/x"))).value())
            .as("a fault keeps the connection too")
            .allMatch(outcome -> outcome instanceof Outcome.Refused);
      }
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void connectionsAreBoundedAndShared() throws InterruptedException, ExecutionException {
    ExecutorService callers = Executors.newFixedThreadPool(12);
    try (TestServer server = TestServer.start();
        NameService client = of(server).connections(3).build()) {
      List<Future<Entry>> answers = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        answers.add(callers.submit(() -> client.query(CallContext.ANONYMOUS, ROOT).value().get(0).orThrow()));
      }
      for (Future<Entry> answer : answers) {
        assertThat(answer.get().isRoot()).isTrue();
      }
      assertThat(server.connections()).isLessThanOrEqualTo(3);
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  void aWriteWhoseAnswerIsLostIsAppliedOnce() {
    try (TestServer server = TestServer.start();
        NameService client = of(server).build()) {
      server.loseAnswers(2);
      Entry made = client.add(CallContext.ANONYMOUS, directory("/a")).value().get(0).orThrow();
      assertThat(made.displayName()).isEqualTo("a");
      assertThat(server.requestIds()).hasSize(3);
      assertThat(server.requestIds()).as("one id for all attempts").containsOnly(server.requestIds().get(0));
      client.add(CallContext.ANONYMOUS, directory("/b"));
      assertThat(server.requestIds().get(3)).as("another for another call").isNotEqualTo(server.requestIds().get(0));
    }
  }

  @Test
  void anIdOfTheCallersIsKept() {
    try (TestServer server = TestServer.start();
        NameService client = of(server).build()) {
      client.add(CallContext.ANONYMOUS.with(new RequestId("mine")), directory("/a"));
      client.query(CallContext.ANONYMOUS, ROOT);
      assertThat(server.requestIds()).containsExactly("mine");
    }
  }

  @Test
  void withoutIdsAWriteIsNotRepeated() {
    try (TestServer server = TestServer.start();
        NameService client = of(server).requestIds(false).build()) {
      server.loseAnswers(1);
      assertThatThrownBy(() -> client.add(CallContext.ANONYMOUS, directory("/a")))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
      assertThat(server.requestIds()).isEmpty();
    }
  }

  @Test
  void aRestartOfTheServerIsNotNoticed() throws InterruptedException, ExecutionException {
    ExecutorService callers = Executors.newFixedThreadPool(8);
    NameService tree = new ModelNameService();
    TestServer server = TestServer.start(tree);
    int port = server.port();
    try (NameService client = of(server).attempts(3).build()) {
      CountDownLatch all = new CountDownLatch(8);
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        calls.add(
            callers.submit(
                () -> {
                  all.countDown();
                  all.await();
                  return client.query(CallContext.ANONYMOUS, ROOT);
                }));
      }
      for (Future<?> call : calls) {
        assertThat(call.get()).isNotNull();
      }
      server.close();
      try (TestServer again = TestServer.start(tree, port)) {
        client.add(CallContext.ANONYMOUS, directory("/a"));
        assertThat(again.requestIds()).hasSize(1);
      }
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  void closingLeavesNoThreadAndNoCallBehind() throws InterruptedException, ExecutionException {
    List<NewEntry> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      many.add(NewEntry.directory(Target.of("/d" + i)));
    }
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    ExecutorService caller = Executors.newSingleThreadExecutor();
    NameService tree = new ModelNameService();
    try (TestServer server = TestServer.start(tree);
        RawServer waiting =
            new RawServer(
                socket -> {
                  asked.countDown();
                  waitFor(answer);
                })) {
      NameService client = of(server).build();
      client.add(CallContext.ANONYMOUS, new AddRequest(many, false, false));
      assertThat(threads()).contains("rns-client-deadlines");
      client.close();
      client.close();
      assertThatThrownBy(() -> client.query(CallContext.ANONYMOUS, ROOT)).hasMessageContaining("is closed");

      NameService stuck = RnsClient.builder().server(waiting.address()).attempts(1).build();
      Future<?> call = caller.submit(() -> stuck.query(CallContext.ANONYMOUS, ROOT));
      asked.await();
      answer.countDown();
      stuck.close();
      assertThatThrownBy(call::get).hasCauseInstanceOf(RnsException.class);
    } finally {
      caller.shutdownNow();
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("rns-client")) {
        thread.join(5_000);
      }
    }
    assertThat(threads()).noneMatch(name -> name.startsWith("rns-client"));
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }
}
