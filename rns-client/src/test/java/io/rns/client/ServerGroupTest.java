package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client of several servers goes to the next one where one fails, and stays there. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerGroupTest {
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);

  private final NameService tree = new ModelNameService();

  private static RnsClient.Builder of(URI... servers) {
    return RnsClient.builder().servers(servers).firstPause(Duration.ofMillis(1)).closeWait(Duration.ZERO);
  }

  private static AddRequest directory(String path) {
    return AddRequest.of(NewEntry.directory(Target.of(path)));
  }

  /** An address where nobody listens. */
  static URI nobody() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/rns");
    }
  }

  @Test
  void theNumberOfServersIsBounded() {
    assertThatThrownBy(() -> RnsClient.builder().servers())
        .hasMessage("the number of servers, 0, is not between 1 and 100");
    List<URI> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add(URI.create("http://h" + i + "/rns"));
    }
    RnsClient.builder().servers(many).build().close();
    many.add(URI.create("http://h/rns"));
    assertThatThrownBy(() -> RnsClient.builder().servers(many)).hasMessageContaining("101");
    assertThatThrownBy(() -> RnsClient.builder().servers(URI.create("http://h/rns"), URI.create("ftp://h")))
        .hasMessageContaining("ftp://h");
  }

  @Test
  void theFirstThatAnswersIsAskedFromThenOn() throws IOException {
    try (TestServer second = TestServer.start(tree);
        TestServer third = TestServer.start(tree);
        NameService client = of(nobody(), second.address(), third.address()).build()) {
      for (int i = 0; i < 20; i++) {
        client.query(CallContext.ANONYMOUS, ROOT);
      }
      assertThat(second.calls()).hasSize(20);
      assertThat(third.calls()).isEmpty();
    }
  }

  @Test
  void aWriteWhoseAnswerBreaksInTheMiddleIsRepeatedAtTheNextServerAndAppliedOnce() {
    String half = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 4000\r\n\r\n<Envelope";
    try (TestServer second = TestServer.start(tree);
        RawServer breaking =
            new RawServer(
                socket -> {
                  RawServer.readRequest(socket.getInputStream());
                  socket.getOutputStream().write(half.getBytes(StandardCharsets.UTF_8));
                });
        NameService client = of(breaking.address(), second.address()).build()) {
      assertThat(client.add(CallContext.ANONYMOUS, directory("/a")).value().get(0)).isInstanceOf(Outcome.Done.class);
      assertThat(breaking.accepted()).isEqualTo(1);
      assertThat(second.requestIds()).hasSize(1);
      client.query(CallContext.ANONYMOUS, ROOT);
      assertThat(breaking.accepted()).isEqualTo(1);
    }
  }

  @Test
  void aLostAnswerIsAskedForAtTheNextServerWithTheSameId() {
    try (TestServer first = TestServer.start(tree);
        TestServer second = TestServer.start(tree);
        NameService client = of(first.address(), second.address()).build()) {
      first.loseAnswers(1);
      assertThat(client.add(CallContext.ANONYMOUS, directory("/a")).value().get(0)).isInstanceOf(Outcome.Done.class);
      assertThat(second.requestIds()).isEqualTo(first.requestIds()).hasSize(1);
    }
  }

  @Test
  void serversThatHangLeaveTimeForTheOthers() {
    try (RawServer one = new RawServer(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
        RawServer two = new RawServer(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
        TestServer third = TestServer.start(tree);
        NameService client =
            of(one.address(), two.address(), third.address()).deadline(Duration.ofMillis(1_500)).build()) {
      long started = System.nanoTime();
      assertThat(client.add(CallContext.ANONYMOUS, directory("/a")).value().get(0)).isInstanceOf(Outcome.Done.class);
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isBetween(Duration.ofMillis(900),
          Duration.ofMillis(1_500));
      assertThat(one.accepted()).isEqualTo(1);
      assertThat(two.accepted()).isEqualTo(1);
      client.query(CallContext.ANONYMOUS, ROOT);
      assertThat(third.calls()).hasSize(2);
    }
  }

  @Test
  void aServerThatHangsIsLeftLongBeforeTheDeadline() {
    try (RawServer one = new RawServer(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
        TestServer second = TestServer.start(tree);
        NameService reader = of(one.address(), second.address()).build();
        NameService writer = of(one.address(), second.address()).build()) {
      long started = System.nanoTime();
      assertThat(reader.query(CallContext.ANONYMOUS, ROOT).value()).hasSize(1);
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(4));
      started = System.nanoTime();
      assertThat(writer.add(CallContext.ANONYMOUS, directory("/a")).value().get(0)).isInstanceOf(Outcome.Done.class);
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(8));
    }
  }

  @Test
  void whenAllHaveFailedTheyAreAskedAgainUpToTheDeadline() throws IOException {
    try (NameService client = of(nobody(), nobody()).deadline(Duration.ofMillis(300)).build()) {
      assertThatThrownBy(() -> client.query(CallContext.ANONYMOUS, ROOT))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
          .hasMessageContaining("cannot connect to")
          .hasMessageMatching(".*\\(attempt ([3-9]|[0-9]{2,}), after [0-9]+ ms\\)");
    }
  }

  @Test
  void attemptsBoundAllServersTogether() throws IOException {
    try (TestServer third = TestServer.start(tree);
        NameService client = of(nobody(), nobody(), third.address()).attempts(2).build()) {
      assertThatThrownBy(() -> client.query(CallContext.ANONYMOUS, ROOT)).hasMessageContaining("(attempt 2, ");
      assertThat(client.query(CallContext.ANONYMOUS, ROOT).value()).as("the failed ones are now last").hasSize(1);
    }
  }

  @Test
  void manyThreadsMoveTogether() throws InterruptedException, ExecutionException {
    ExecutorService callers = Executors.newFixedThreadPool(16);
    TestServer first = TestServer.start(tree);
    try (TestServer second = TestServer.start(tree);
        TestServer third = TestServer.start(tree);
        NameService client = of(first.address(), second.address(), third.address()).build()) {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        String path = "/" + i;
        calls.add(callers.submit(() -> client.add(CallContext.ANONYMOUS, directory(path)).value().get(0).orThrow()));
        if (i == 100) {
          calls.get(20).get();
          first.close();
        }
      }
      for (Future<?> call : calls) {
        assertThat(call.get()).isNotNull();
      }
      assertThat(second.calls()).isNotEmpty();
      assertThat(third.calls()).as("all went to the same next server").isEmpty();
    } finally {
      first.close();
      callers.shutdownNow();
    }
  }

  @Test
  void anErrorOfTheCallersStaysWhereItIs() {
    try (TestServer first = TestServer.start(tree);
        TestServer second = TestServer.start(tree);
        NameService client = of(first.address(), second.address()).build()) {
      client.add(CallContext.ANONYMOUS, directory("/a"));
      assertThat(client.add(CallContext.ANONYMOUS, directory("/a")).value().get(0)).isInstanceOf(Outcome.Refused.class);
      assertThat(second.calls()).isEmpty();
    }
  }
}
