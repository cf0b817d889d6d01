package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RnsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that end, and changes of roles. */
@Timeout(60)
class FrontFailuresTest {
  private static final String QUERY = "<query xmlns='http://schemas.ggf.org/rns/2006/05/rns'/>";
  private static final String REMOVE = "<remove xmlns='http://schemas.ggf.org/rns/2006/05/rns'/>";
  private static final String ID = "<s:Header><x:RequestId xmlns:x='urn:rns:ext:1'>a1</x:RequestId></s:Header>";

  @TempDir private Path temporary;
  private EchoServer one;
  private EchoServer two;
  private FrontServer front;

  @BeforeEach
  void start() throws IOException {
    one = new EchoServer();
    two = new EchoServer();
    front = FrontServer.start(
        TestSettings.of(temporary.resolve("admin"), List.of(one.url(), two.url())));
  }

  @AfterEach
  void stop() {
    front.close();
    one.close();
    two.close();
  }

  private static String soap(String header, String body) {
    String message =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'>" + header + "<s:Body>" + body
            + "</s:Body></s:Envelope>";
    return "POST /rns/services/rns HTTP/1.1\r\nHost: a\r\nX-Hold: g\r\nContent-Type: text/xml\r\nContent-Length: "
        + message.length()
        + "\r\n\r\n" + message;
  }

  /** Ends the server that has the request, and lets the other one answer. */
  private String answerAfterCrash(String request) throws IOException {
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send(request);
      Waiting.until(() -> one.reached.size() + two.reached.size() == 1);
      EchoServer first = one.reached.isEmpty() ? two : one;
      EchoServer second = one.reached.isEmpty() ? one : two;
      second.gate("g").countDown();
      first.close();
      return peer.response();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "GET /rns/names/a HTTP/1.1\r\nHost: a\r\nX-Hold: g\r\n\r\n",
      "DELETE /rns/names/a HTTP/1.1\r\nHost: a\r\nX-Hold: g\r\nRNS-Request-Id: 7\r\n\r\n",
      "PUT /rns/names/a HTTP/1.1\r\nHost: a\r\nX-Hold: g\r\nRNS-Request-Id: 7\r\nContent-Length: 2\r\n\r\n{}"
  })
  void repeatsReadsAndWritesWithARequestId(String request) throws IOException {
    assertThat(answerAfterCrash(request)).startsWith("HTTP/1.1 200 ");
    assertThat(one.reached).containsExactlyElementsOf(two.reached);
    assertThat(front.health().get("repeated")).isEqualTo(1L);
  }

  @Test
  void repeatsSoapQueries() throws IOException {
    assertThat(answerAfterCrash(soap("", QUERY))).startsWith("HTTP/1.1 200 ").contains("<query ");
  }

  @Test
  void repeatsSoapWritesWithARequestId() throws IOException {
    assertThat(answerAfterCrash(soap(ID, REMOVE))).startsWith("HTTP/1.1 200 ").contains("<remove ");
  }

  @Test
  void doesNotRepeatOtherSoapWrites() throws IOException {
    assertThat(answerAfterCrash(soap("", REMOVE)))
        .startsWith("HTTP/1.1 503 ")
        .contains("Retry-After: 1\r\n", "text/xml", "<faultcode>_s:Server</faultcode>", ">UNAVAILABLE<");
    assertThat(one.reached.size() + two.reached.size()).isEqualTo(1);
  }

  @Test
  void doesNotRepeatOtherWrites() throws IOException {
    assertThat(answerAfterCrash("DELETE /rns/names/a HTTP/1.1\r\nHost: a\r\nX-Hold: g\r\n\r\n"))
        .startsWith("HTTP/1.1 503 ")
        .contains("Retry-After: 1\r\n", "application/problem+json", "\"code\":\"UNAVAILABLE\"");
    assertThat(one.reached.size() + two.reached.size()).isEqualTo(1);
  }

  @Test
  void usesTheServerThatListens() throws IOException {
    one.leave();
    try (HttpPeer peer = new HttpPeer(front.port())) {
      for (int i = 0; i < 10; i++) {
        assertThat(peer.send("DELETE /rns/names/" + i + " HTTP/1.1\r\nHost: a\r\n\r\n").response())
            .startsWith("HTTP/1.1 200 ");
      }
    }
    assertThat(two.reached).hasSize(10);
  }

  private static Stream<String> garbage() {
    String ok = "HTTP/1.1 200 OK\r\n";
    return Stream.of("\0\1\2 garbage\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
        ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx", ok + "Content-Length: -1\r\n\r\n",
        ok + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\nxx", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 103 Hints\r\nContent-Length: 38\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\nContent-Length: 0\n\n", ok + "X: " + "a".repeat(100_000), ok + " folded: 1\r\n\r\n");
  }

  @ParameterizedTest
  @MethodSource("garbage")
  void anotherServerAnswersWhereOneSendsGarbage(String garbage) throws IOException {
    try (RawServer broken = new RawServer(garbage);
        FrontServer both = FrontServer.start(
            TestSettings.of(temporary.resolve("both"), List.of(broken.url(), one.url())));
        HttpPeer peer = new HttpPeer(both.port())) {
      Waiting.until(() -> {
        try {
          String asked = "GET /rns/names/a HTTP/1.1\r\nHost: a\r\nRNS-Consistency: any\r\n\r\n";
          assertThat(peer.send(asked).response()).startsWith("HTTP/1.1 200 ").contains("GET /rns/names/a\n");
        } catch (IOException e) {
          throw new AssertionError(e);
        }
        return both.health().get("repeated") instanceof Long repeated && repeated > 0;
      });
      assertThat(broken.reached).hasPositiveValue();
    }
  }

  @Test
  void aClientGetsTheEndOfItsConnectionWhereABodyIsGarbage() throws IOException {
    try (RawServer broken = new RawServer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\nzz\r\n");
        FrontServer before = FrontServer.start(TestSettings.of(temporary.resolve("b"), List.of(broken.url())));
        HttpPeer peer = new HttpPeer(before.port())) {
      assertThat(peer.send("GET /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n").rest()).doesNotContain("\r\n0\r\n", "zz");
    }
  }

  /** They would have had a client wait for a body, or end its connection. */
  @Test
  void aClientGetsNeitherTheVersionOfAServerNorALengthOfNoContent() throws IOException {
    try (RawServer odd = new RawServer("HTTP/1.0 204 No\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok");
        FrontServer before = FrontServer.start(TestSettings.of(temporary.resolve("b"), List.of(odd.url())));
        HttpPeer peer = new HttpPeer(before.port())) {
      for (int i = 0; i < 20; i++) {
        assertThat(peer.send("GET /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n").head())
            .isEqualTo("HTTP/1.1 204 No\r\n\r\n");
      }
    }
  }

  @Test
  void whatAServerSendsBehindAResponseIsNotTakenForTheNext() throws IOException {
    String first = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    try (RawServer broken = new RawServer(first + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother");
        FrontServer before = FrontServer.start(
            TestSettings.of(temporary.resolve("b"), List.of(broken.url()), "--threads=1", "--server-connections=1"));
        HttpPeer peer = new HttpPeer(before.port())) {
      for (int i = 0; i < 20; i++) {
        assertThat(peer.send("GET /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n").response()).endsWith("\r\n\r\nok");
      }
    }
  }

  @Test
  void saysWhenToRetryWithoutAnyServer() throws IOException {
    one.leave();
    two.leave();
    try (HttpPeer peer = new HttpPeer(front.port())) {
      assertThat(peer.send("GET /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n").response()).startsWith("HTTP/1.1 503 ")
          .contains("Retry-After: 1", "the request was not made");
      assertThat(peer.send("HEAD /rns/names/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").rest())
          .startsWith("HTTP/1.1 503 ").endsWith("\r\n\r\n");
    }
  }

  private static String server(EchoServer server, String role) {
    return "{\"url\":\"%s\",\"name\":\"s\",\"role\":\"%s\",\"living\":true,\"site\":\"\",\"capacity\":100,\"load\":1,\"lagMillis\":0,\"position\":\"0-1-5\"}"
        .formatted(server.url(), role);
  }

  private void announce(int epoch, String... servers) {
    String list = "{\"prefix\":\"/\",\"epoch\":%d,\"ttlMillis\":30000,\"servers\":[%s]}".formatted(epoch,
        String.join(",", servers));
    one.list = list;
    two.list = list;
  }

  private void sends(String request, EchoServer to) {
    Waiting.until(() -> {
      int before = to.reached.size();
      try (HttpPeer peer = new HttpPeer(front.port())) {
        for (int i = 0; i < 5; i++) {
          assertThat(peer.send(request).response()).startsWith("HTTP/1.1 200 ");
        }
        return to.reached.size() == before + 5;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
  }

  private void announcePrimaryAndReplica() {
    announce(1, server(one, "primary"), server(two, "replica"));
    Waiting.until(() -> front.directory().reportsPrimary(RnsPath.ROOT));
  }

  /** These read their own writes: a replica may not have them yet. */
  private static Stream<String> readsWithoutPosition() {
    return Stream.of("GET /rns/names/a HTTP/1.1\r\nHost: a\r\nX-Hold: g\r\n\r\n", soap("", QUERY),
        soap("", "<batch xmlns='urn:rns:ext:1'>" + QUERY + "</batch>"));
  }

  @ParameterizedTest
  @MethodSource("readsWithoutPosition")
  void readsWithoutPositionStayAtAPrimaryThatHasRefusedAnotherClient(String read) throws IOException {
    announcePrimaryAndReplica();
    one.gate("g").countDown();
    two.gate("g").countDown();
    try (HttpPeer other = new HttpPeer(front.port()); HttpPeer reader = new HttpPeer(front.port())) {
      for (int i = 0; i < 3; i++) {
        other.send("DELETE /rns/names/x HTTP/1.1\r\nHost: a\r\nX-Refused-By: " + one.port() + "\r\n\r\n");
        assertThat(other.response()).startsWith("HTTP/1.1 503 ");
        assertThat(reader.send(read).response()).startsWith("HTTP/1.1 200 ");
        assertThat(two.reached).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("readsWithoutPosition")
  void aReplicaDoesNotAnswerAReadWithoutPositionThatThePrimaryRefuses(String read) throws IOException {
    announcePrimaryAndReplica();
    two.gate("g").countDown();
    try (HttpPeer peer = new HttpPeer(front.port())) {
      String refused = "Host: a\r\nX-Refused-By: " + one.port() + "\r\n";
      assertThat(peer.send(read.replace("Host: a\r\n", refused)).response()).startsWith("HTTP/1.1 503 ");
      assertThat(two.reached).isEmpty();
      String any = "GET /rns/names/a HTTP/1.1\r\nRNS-Consistency: any\r\n" + refused + "\r\n";
      for (int i = 0; i < 5; i++) {
        assertThat(peer.send(any).response()).as("any server can answer").startsWith("HTTP/1.1 200 ");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("readsWithoutPosition")
  void aReadWithoutPositionWaitsForTheNextPrimary(String read) throws IOException {
    announcePrimaryAndReplica();
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send(read);
      Waiting.until(() -> one.reached.size() == 1);
      one.leave();
      // The replica would still have it.
      Waiting.until(() -> front.health().get("repeated") instanceof Long repeated && repeated > 1);
      assertThat(two.reached).isEmpty();
      two.gate("g").countDown();
      announce(2, server(one, "out"), server(two, "primary"));
      assertThat(peer.response()).startsWith("HTTP/1.1 200 ");
      assertThat(two.reached).hasSize(1);
    }
  }

  /** It was sent: only its client can find out what came of it. */
  @Test
  void doesNotSayOfAWriteThatAServerHadThatItWasNotMade() throws IOException {
    two.leave();
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send("DELETE /rns/names/a HTTP/1.1\r\nHost: a\r\nX-Hold: g\r\nRNS-Request-Id: 7\r\n\r\n");
      Waiting.until(() -> one.reached.size() == 1);
      one.leave();
      assertThat(peer.response()).startsWith("HTTP/1.1 503 ").contains("no server is reachable")
          .contains("a change may or may not have been made").doesNotContain("was not made");
    }
  }

  @Test
  void followsTheRolesOfServers() {
    String plain = "GET /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n";
    String write = "DELETE /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n";
    announce(1, server(one, "primary"), server(two, "out"));
    sends(write, one);
    sends("GET /rns/names/a HTTP/1.1\r\nHost: a\r\nRNS-Position: 0-1-4\r\n\r\n", one);
    announce(2, server(one, "replica"), server(two, "primary"));
    sends(write, two);
    sends(plain, two);
    two.reached.clear();
    Waiting.until(() -> {
      try (HttpPeer peer = new HttpPeer(front.port())) {
        assertThat(peer.send("GET /rns/names/a HTTP/1.1\r\nHost: a\r\nRNS-Consistency: any\r\n\r\n").response())
            .startsWith("HTTP/1.1 200 ");
        return !one.reached.isEmpty() && !two.reached.isEmpty();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
  }
}
