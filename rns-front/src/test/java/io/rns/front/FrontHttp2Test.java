package io.rns.front;

import static io.rns.front.Http2Peer.ACK;
import static io.rns.front.Http2Peer.CONTINUATION;
import static io.rns.front.Http2Peer.DATA;
import static io.rns.front.Http2Peer.END_HEADERS;
import static io.rns.front.Http2Peer.END_STREAM;
import static io.rns.front.Http2Peer.HEADERS;
import static io.rns.front.Http2Peer.INITIAL_WINDOW_SIZE;
import static io.rns.front.Http2Peer.PING;
import static io.rns.front.Http2Peer.RESET;
import static io.rns.front.Http2Peer.WINDOW_UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.internal.PlatformDependent;
import io.rns.front.Http2Peer.GoAway;
import io.rns.front.Http2Peer.Response;
import io.rns.identity.CallerPassing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 without TLS: requests, refusals, limits, and the end of a front. */
@Timeout(60)
class FrontHttp2Test {
  private static final int PROTOCOL_ERROR = 1;
  private static final int REFUSED_STREAM = 7;
  private static final int CANCEL = 8;
  private static final int ENHANCE_YOUR_CALM = 11;
  private static final int LARGE_WINDOW = 1 << 30;

  @TempDir private Path temporary;
  private EchoServer server;
  private FrontServer front;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
    Path secret = Files.writeString(temporary.resolve("secret"), "the secret");
    front =
        FrontServer.start(
            TestSettings.of(temporary.resolve("admin"), List.of(server.url()), "--secret-file=" + secret));
  }

  @AfterEach
  void stop() {
    front.close();
    server.close();
  }

  private Http2Peer peer() throws IOException {
    return new Http2Peer(front.port());
  }

  /** A client with a window for each response, and a large one for all of them. */
  private Http2Peer peer(int window) throws IOException {
    Http2Peer peer =
        new Http2Peer(new Socket(InetAddress.getLoopbackAddress(), front.port()),
            Http2Peer.setting(INITIAL_WINDOW_SIZE, window));
    peer.reads = false;
    return peer.send(WINDOW_UPDATE, 0, 0, Http2Peer.number(LARGE_WINDOW));
  }

  private static String echoed(String line, String body) {
    return line + "\n[]\n" + body + "\n";
  }

  /** Lets time pass. */
  private void pass(Duration time) {
    long now = System.nanoTime() + time.toNanos();
    front.loops().forEach(loop -> FrontServer.on(loop, () -> {
      loop.sweep(now);
      return true;
    }));
  }

  private long unreadBytes() {
    return unreadBytes(front);
  }

  private static long unreadBytes(FrontServer of) {
    return of.loops().stream().mapToLong(loop -> FrontServer.on(loop, loop::unreadBytes)).sum();
  }

  @Test
  void passesRequestsAndResponsesOn() throws IOException {
    try (Http2Peer peer = peer()) {
      Response response = peer.get(1, "/rns/echo/a%20b?x=y").await(1);
      assertThat(response.status).isEqualTo(200);
      assertThat(response.body()).isEqualTo(echoed("GET /rns/echo/a%20b?x=y", ""));
      assertThat(response.fields).containsEntry("content-type", "text/plain").containsKeys("date", "content-length")
          .doesNotContainKeys("connection", "transfer-encoding");
      assertThat(peer.post(3, "/rns/echo", "hello").await(3).body()).isEqualTo(echoed("POST /rns/echo", "hello"));
      assertThat(peer.post(5, "/rns/echo", "hello", "content-length", "5", "te", "trailers").await(5).body())
          .isEqualTo(echoed("POST /rns/echo", "hello"));
      assertThat(peer.get(7, "/rns/large?300000").await(7).content.size()).isEqualTo(303_104);
      peer.send(HEADERS, END_HEADERS | END_STREAM, 9,
          peer.block(":method", "GET", ":scheme", "http", ":path", "/rns/echo", "host", "b", "x-test", "1"));
      assertThat(peer.await(9).body()).isEqualTo("GET /rns/echo\n[1]\n\n");
      assertThat(peer.get(11, "/elsewhere").await(11).status).isEqualTo(404);
    }
    Waiting.until(() -> front.clients() == 0);
    assertThat(front.health()).containsEntry("http2Requests", 0).containsEntry("requests", 5L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"content-length", "x-test"})
  void passesLargeBodiesOnAsTheyArrive(String field) throws IOException {
    String part = "0123456789".repeat(1_000);
    try (Http2Peer peer = peer()) {
      peer.send(HEADERS, END_HEADERS, 1, peer.request("POST", "/rns/echo", field, "50000", "expect", "100-continue"));
      while (peer.response(1).interim.isEmpty()) {
        peer.read();
      }
      assertThat(peer.response(1).interim).containsExactly(100);
      for (int i = 0; i < 4; i++) {
        peer.send(DATA, 0, 1, part.getBytes(StandardCharsets.US_ASCII));
      }
      peer.send(DATA, 0, 1, new byte[0]).send(DATA, END_STREAM, 1, part.getBytes(StandardCharsets.US_ASCII));
      assertThat(peer.await(1).body()).endsWith("]\n" + part.repeat(5) + "\n");
    }
  }

  @Test
  void bodiesBeyondTheMemoryOfARequestPass() throws IOException {
    String part = "0123456789".repeat(1_500);
    try (Http2Peer peer = peer()) {
      peer.send(HEADERS, END_HEADERS, 1, peer.request("POST", "/rns/echo"));
      for (int i = 0; i < 200; i++) {
        peer.awaitWindow(1, part.length());
        peer.send(DATA, 0, 1, part.getBytes(StandardCharsets.US_ASCII));
      }
      // Fields behind the body have no meaning for servers.
      peer.send(HEADERS, END_HEADERS | END_STREAM, 1, peer.block("x-sum", "1"));
      assertThat(peer.await(1).body()).isEqualTo(echoed("POST /rns/echo", part.repeat(200)));
    }
  }

  @Test
  void answersARequestWhileAnotherOneWaits() throws IOException {
    try (Http2Peer peer = peer()) {
      peer.get(1, "/rns/hold?1").get(3, "/rns/echo");
      assertThat(peer.await(3).status).isEqualTo(200);
      assertThat(peer.response(1).status).isZero();
      server.gate("1").countDown();
      assertThat(peer.await(1).body()).isEqualTo("held /rns/hold?1 0");
    }
  }

  @Test
  void passesEventsOnAtOnceAndEndsTheirRequestWithTheClients() throws IOException {
    try (Http2Peer peer = peer()) {
      peer.get(1, "/rns/watch");
      for (String event : List.of("one", "two")) {
        server.events.add(event);
        while (!peer.response(1).body().endsWith("data: " + event + "\n\n")) {
          peer.read();
        }
      }
      assertThat(front.health()).containsEntry("streams", 1);
      peer.send(RESET, 0, 1, Http2Peer.number(CANCEL));
      Waiting.until(() -> front.health().get("streams").equals(0));
      assertThat(front.health()).containsEntry("resets", 1L).containsEntry("http2Requests", 0);
      assertThat(peer.get(3, "/rns/echo").await(3).status).isEqualTo(200);
    }
  }

  @Test
  void serversLearnWhereClientsAreAndClientsFetchLargeResponses() throws IOException {
    try (Http2Peer peer = peer()) {
      peer.send(HEADERS, END_HEADERS | END_STREAM, 1, peer.request("GET", "/rns/echo", "rns-origin", "forged"));
      assertThat(peer.await(1).status).isEqualTo(200);
      CallerPassing receiver = new CallerPassing("the secret", "a server", InstantSource.system());
      assertThat(receiver.origin(server.origins.remove().getFirst())).contains("127.0.0.1");
      peer.send(HEADERS, END_HEADERS | END_STREAM, 3, peer.request("GET", "/rns/names?list", "rns-direct", "accept"));
      assertThat(peer.await(3).status).isEqualTo(307);
      assertThat(peer.response(3).fields.get("location")).startsWith(server.url() + "/names?list&");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "connection=close", "transfer-encoding=chunked", "upgrade=h2c", "keep-alive=1", "proxy-connection=x", "te=gzip",
      "X-Upper=1", "x y=1", "x:y=1", "=1", ":path=/rns/other", ":unknown=1", ":status=200",
      "x=1\r\ny: 2", "x=1\ny: 2", "x=1\ry", "x=\0", "host=b", "content-length=+4", "content-length=4,4",
      "content-length=4"
  })
  void resetsMalformedRequests(String field) throws IOException {
    int equals = field.indexOf('=', 1);
    int split = equals < 0 ? 0 : equals;
    refused("GET", "/rns/echo", field.substring(0, split), field.substring(split + 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "GET /rns/echo HTTP/1.1\r\nHost: a\r\n\r\nGET=/rns/echo", "G ET=/rns/echo", "GET=/rns/echo HTTP/1.1\r\nX: y",
      "GET=/rns/a b", "GET=", "=/rns/echo"
  })
  void resetsRequestsThatWouldBeOthersInHttp11(String methodAndPath) throws IOException {
    int equals = methodAndPath.lastIndexOf('=');
    refused(methodAndPath.substring(0, equals), methodAndPath.substring(equals + 1), "x-test", "1");
  }

  private void refused(String method, String path, String name, String value) throws IOException {
    try (Http2Peer peer = peer()) {
      peer.send(HEADERS, END_HEADERS | END_STREAM, 1, peer.request(method, path, name, value));
      assertThat(peer.await(1).reset).isEqualTo(PROTOCOL_ERROR);
      assertThat(server.reached).isEmpty();
      assertThat(peer.get(3, "/rns/echo").await(3).body()).isEqualTo(echoed("GET /rns/echo", ""));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "5", "0"})
  void resetsBodiesOfAnotherLength(String announced) throws IOException {
    String smuggled = "GET /rns/echo/smuggled HTTP/1.1\r\nhost: a\r\n\r\n";
    try (Http2Peer peer = peer()) {
      peer.send(HEADERS, END_HEADERS, 1, peer.request("POST", "/rns/hold?x", "content-length", announced));
      peer.send(DATA, END_STREAM, 1, ("abcd" + (announced.equals("5") ? "" : smuggled)).getBytes(
          StandardCharsets.US_ASCII));
      assertThat(peer.await(1).reset).isEqualTo(PROTOCOL_ERROR);
      assertThat(peer.get(3, "/rns/echo").await(3).body()).isEqualTo(echoed("GET /rns/echo", ""));
      assertThat(server.reached).doesNotContain("GET /rns/echo/smuggled");
    }
  }

  @Test
  void refusesLongHeads() throws IOException {
    try (Http2Peer peer = peer()) {
      peer.send(HEADERS, END_HEADERS | END_STREAM, 1, peer.request("GET", "/rns/echo", "x", "y".repeat(17_000)));
      assertThat(peer.await(1).status).isEqualTo(431);
      String[] repeated = new String[2_000];
      for (int i = 0; i < repeated.length; i += 2) {
        repeated[i] = "x";
        repeated[i + 1] = "y".repeat(3_900);
      }
      byte[] bomb = peer.request("GET", "/rns/echo", repeated);
      assertThat(bomb).as("each a byte").hasSizeLessThan(8_000);
      peer.send(HEADERS, END_HEADERS | END_STREAM, 3, bomb);
      assertThat(peer.await(3).status).isEqualTo(431);
      assertThat(server.reached).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16_000})
  void continuationsWithoutEndAreCut(int bytes) throws IOException {
    try (Http2Peer peer = peer()) {
      peer.send(HEADERS, END_STREAM, 1, peer.request("GET", "/rns/echo"));
      assertThat(flood(peer, 1_000, i -> peer.send(CONTINUATION, 0, 1, new byte[bytes])).error()).isNotZero();
      Waiting.until(() -> front.clients() == 0);
      assertThat(server.reached).isEmpty();
    }
  }

  /** What a client sends again and again. */
  private interface Frames {
    void send(int number) throws IOException;
  }

  private static GoAway flood(Http2Peer peer, int times, Frames frames) throws IOException {
    try {
      for (int i = 0; i < times; i++) {
        frames.send(i);
      }
    } catch (SocketException e) {
      // The server has ended the connection.
    }
    return peer.end();
  }

  @Test
  void clientsThatResetTooManyRequestsAreDisconnected() throws IOException {
    try (Http2Peer peer = peer(); Http2Peer other = peer()) {
      GoAway end =
          flood(peer, 1_000, i -> peer.get(2 * i + 1, "/rns/hold?never").send(RESET, 0, 2 * i + 1,
              Http2Peer.number(CANCEL)));
      assertThat(end.error()).isIn(ENHANCE_YOUR_CALM, -1);
      Waiting.until(() -> front.clients() == 1 && front.health().get("http2Requests").equals(0));
      assertThat((Long) front.health().get("resets")).isBetween(1L, Http2Link.MOST_RESETS + 1L);
      assertThat((Long) front.health().get("requests")).isLessThanOrEqualTo(Http2Link.MOST_RESETS + 1L);
      assertThat(other.get(1, "/rns/echo").await(1).status).isEqualTo(200);
    }
  }

  /** The client never resets: it has the server do so. */
  @Test
  void clientsThatCauseTooManyResetsAreDisconnected() throws IOException {
    try (Http2Peer peer = peer()) {
      GoAway end =
          flood(peer, 1_000, i -> peer.get(2 * i + 1, "/rns/hold?never").send(WINDOW_UPDATE, 0, 2 * i + 1,
              Http2Peer.number(0)));
      assertThat(end.error()).isIn(ENHANCE_YOUR_CALM, -1);
      assertThat((Long) front.health().get("requests")).isLessThanOrEqualTo(Http2Link.MOST_RESETS + 1L);
      Waiting.until(() -> front.clients() == 0 && front.health().get("http2Requests").equals(0));
    }
  }

  /** A stream that is not read kept them all. */
  @Test
  void framesOfExtensionsAreNotKept() throws IOException {
    try (Http2Peer peer = peer()) {
      peer.send(HEADERS, END_HEADERS, 1, peer.request("POST", "/rns/hold?e", "content-length", "1000000"));
      for (int i = 0; i < 4; i++) {
        peer.send(DATA, 0, 1, new byte[15_000]);
      }
      long before = PlatformDependent.usedDirectMemory();
      for (int i = 0; i < 4_000; i++) {
        peer.send(0xf0, 0, 1, new byte[16_000]);
      }
      peer.send(PING, 0, 0, new byte[8]).send(RESET, 0, 1, Http2Peer.number(CANCEL));
      assertThat(peer.get(3, "/rns/echo").await(3).status).isEqualTo(200);
      assertThat(PlatformDependent.usedDirectMemory() - before).isLessThan(32_000_000);
      server.gate("e").countDown();
    }
  }

  /** They were counted only when they were complete. */
  @Test
  void requestsThatDoNotEndHoldAMegabyteOfAConnectionAtMost() throws IOException {
    try (Http2Peer peer = peer(); Http2Peer other = peer()) {
      for (int stream = 1; stream < 99; stream += 2) {
        peer.send(HEADERS, END_HEADERS, stream, peer.request("POST", "/rns/echo", "content-length", "60001"));
        for (int i = 0; i < 4; i++) {
          peer.awaitWindow(stream, 15_000);
          peer.send(DATA, 0, stream, new byte[15_000]);
        }
      }
      assertThat(peer.get(99, "/rns/echo").await(99).status).isEqualTo(200);
      assertThat(IntStream.range(0, 49).filter(number -> peer.response(2 * number + 1).status == 503).count())
          .isBetween(25L, 40L);
      assertThat(other.post(1, "/rns/echo", "hello").await(1).status).isEqualTo(200);
    }
    Waiting.until(() -> front.clients() == 0 && front.health().get("http2Requests").equals(0));
  }

  /** They took all connections to the server, so that others waited 20 s, and were refused. */
  @Test
  void largeRequestsOfAConnectionLeaveConnectionsToServersToOthers() throws IOException {
    int allowed = 3;
    int last = 2 * 23 - 1;
    try (FrontServer small = FrontServer.start(settings("small", 4 * allowed, Duration.ofMinutes(1)));
        Http2Peer peer = new Http2Peer(small.port());
        Http2Peer other = new Http2Peer(small.port())) {
      for (int stream = 1; stream <= last; stream += 2) {
        peer.send(HEADERS, END_HEADERS, stream, peer.request("POST", "/rns/hold?u", "content-length", "90000"));
        send(peer, stream, 4);
      }
      for (int stream = 2 * allowed + 1; stream <= last; stream += 2) {
        assertThat(peer.await(stream).status).isEqualTo(503);
        assertThat(peer.response(stream).body()).contains("\"code\":\"BUSY\"");
        assertThat(peer.response(stream).fields).containsEntry("retry-after", "1");
      }
      assertThat(other.get(1, "/rns/echo").await(1).status).isEqualTo(200);
      assertThat(peer.get(last + 2, "/rns/echo").await(last + 2).status).isEqualTo(200);

      server.gate("u").countDown();
      for (int stream = 1; stream <= 2 * allowed - 1; stream += 2) {
        send(peer, stream, 2);
        assertThat(peer.await(stream).body()).isEqualTo("held /rns/hold?u 90000");
      }
      int again = last + 4;
      peer.send(HEADERS, END_HEADERS, again, peer.request("POST", "/rns/hold?u", "content-length", "90000"));
      send(peer, again, 6);
      assertThat(peer.await(again).status).as("there is a place again").isEqualTo(200);
    }
  }

  /** They took all connections to the server, for as long as it, or the client, took. */
  @Test
  void requestsOfAConnectionTakeHalfOfTheConnectionsToAServer() throws IOException {
    try (FrontServer small = FrontServer.start(settings("small", 4, Duration.ofMinutes(1)));
        Http2Peer peer = new Http2Peer(small.port());
        Http2Peer other = new Http2Peer(small.port())) {
      for (int stream = 1; stream <= 11; stream += 2) {
        peer.get(stream, "/rns/hold?h");
      }
      Waiting.until(() -> small.health().get("requests").equals(6L) && server.held.get() == 2);
      assertThat(other.get(1, "/rns/echo").await(1).status).isEqualTo(200);
      assertThat(server.held).hasValue(2);
      server.gate("h").countDown();
      for (int stream = 1; stream <= 11; stream += 2) {
        assertThat(peer.await(stream).status).isEqualTo(200);
      }
    }
  }

  /** The window of a connection was that of a request. */
  @Test
  void anUploadThatWaitsDoesNotHoldOthersUp() throws IOException {
    try (FrontServer small = FrontServer.start(settings("small", 1, Duration.ofMinutes(1)));
        Http2Peer peer = new Http2Peer(small.port())) {
      peer.get(1, "/rns/hold?w");
      Waiting.until(() -> !server.reached.isEmpty());
      peer.send(HEADERS, END_HEADERS, 3, peer.request("POST", "/rns/hold?w", "content-length", "1500000"));
      send(peer, 3, 7);
      peer.send(HEADERS, END_HEADERS, 5, peer.request("POST", "/rns/hold?w", "content-length", "15000"));
      send(peer, 5, 1);
      Waiting.until(() -> small.health().get("requests").equals(3L));
      assertThat(unreadBytes(small)).as("counts as memory").isGreaterThanOrEqualTo(30_000);

      server.gate("w").countDown();
      send(peer, 3, 93);
      assertThat(peer.await(3).body()).isEqualTo("held /rns/hold?w 1500000");
      assertThat(peer.await(5).body()).isEqualTo("held /rns/hold?w 15000");
      assertThat(unreadBytes(small)).isZero();
    }
  }

  /** Parts of 15,000 bytes, as soon as the windows allow. */
  private static void send(Http2Peer peer, int stream, int parts) throws IOException {
    for (int i = 0; i < parts; i++) {
      peer.awaitWindow(stream, 15_000);
      peer.send(DATA, 0, stream, new byte[15_000]);
    }
  }

  @Test
  void limitsConcurrentRequestsAlsoIfTheClientDoesNotConfirmIt() throws IOException {
    try (Http2Peer peer = peer()) {
      peer.acknowledges = false;
      for (int i = 0; i <= Http2Link.MOST_STREAMS; i++) {
        peer.get(2 * i + 1, "/rns/hold?c");
      }
      assertThat(peer.await(2 * Http2Link.MOST_STREAMS + 1).reset).isEqualTo(REFUSED_STREAM);
      assertThat(front.health()).containsEntry("http2Requests", Http2Link.MOST_STREAMS);
      server.gate("c").countDown();
      for (int i = 0; i < Http2Link.MOST_STREAMS; i++) {
        assertThat(peer.await(2 * i + 1).status).isEqualTo(200);
      }
    }
  }

  @Test
  void serversAreReadNoFasterThanClientsRead() throws IOException {
    try (Http2Peer peer = peer(65_535)) {
      peer.get(1, "/rns/large?40960000");
      while (peer.response(1).content.size() < 65_535) {
        peer.read();
      }
      assertThat(peer.get(3, "/rns/echo").await(3).body()).as("another response").startsWith("GET");
      assertThat(unreadBytes()).isLessThan(200_000);
      peer.send(WINDOW_UPDATE, 0, 1, Http2Peer.number(LARGE_WINDOW));
      assertThat(peer.await(1).content.size()).isEqualTo(40_960_000);
    }
  }

  @Test
  void responsesThatAreNotReadAreCut() throws IOException {
    try (Http2Peer peer = peer(0)) {
      peer.get(1, "/rns/echo");
      while (peer.response(1).status == 0) {
        peer.read();
      }
      assertThat(unreadBytes()).isPositive();
      pass(Duration.ofSeconds(50));
      assertThat(front.health()).containsEntry("http2Requests", 1);
      pass(Duration.ofSeconds(61));
      assertThat(peer.await(1).reset).isEqualTo(CANCEL);
      Waiting.until(() -> front.health().get("http2Requests").equals(0));
      assertThat(unreadBytes()).isZero();
    }
  }

  @Test
  void clientsThatDoNotReadAreDisconnected() throws IOException {
    try (FrontServer hasty = FrontServer.start(impatient());
        Http2Peer peer = new Http2Peer(new Socket(InetAddress.getLoopbackAddress(), hasty.port()),
            Http2Peer.setting(INITIAL_WINDOW_SIZE, LARGE_WINDOW))) {
      peer.send(WINDOW_UPDATE, 0, 0, Http2Peer.number(LARGE_WINDOW)).get(1, "/rns/large?409600000");
      Waiting.until(() -> (Long) hasty.health().get("cutClients") > 0 && hasty.clients() == 0);
    }
  }

  /** A front that waits a second for clients to read. */
  private FrontSettings impatient() {
    return settings("impatient", 10, Duration.ofSeconds(1));
  }

  /** A front with one event loop. */
  private FrontSettings settings(String name, int serverConnections, Duration stall) {
    return TestSettings.of(
        temporary.resolve(name), List.of(server.url()), "--cache=0", "--threads=1", "--connections=200",
        "--server-connections=" + serverConnections, "--streams=10", "--waiting=10",
        "--stall-timeout=" + stall.toSeconds());
  }

  @ParameterizedTest
  @ValueSource(strings = {"preface", "frame", "fields"})
  void whatDoesNotArriveIsCut(String part) throws IOException {
    try (Http2Peer peer = peer()) {
      assertThat(peer.get(1, "/rns/echo").await(1).status).isEqualTo(200);
      pass(Duration.ofSeconds(40));
      peer.send(PING, 0, 0, new byte[8]);
      assertThat(peer.get(3, "/rns/echo").await(3).status).as("an idle connection stays").isEqualTo(200);
      try (Socket begun = new Socket(InetAddress.getLoopbackAddress(), front.port())) {
        Http2Peer other = part.equals("preface") ? null : new Http2Peer(begun, new byte[0]);
        switch (part) {
          case "preface" -> begun.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM".getBytes(
              StandardCharsets.US_ASCII));
          case "frame" -> begun.getOutputStream().write(new byte[]{0, 0, 8, PING, 0, 0, 0});
          default -> other.send(HEADERS, END_STREAM, 1, other.request("GET", "/rns/echo"));
        }
        Waiting.until(() -> {
          pass(Duration.ofSeconds(31));
          return front.clients() == 1;
        });
      }
      assertThat(peer.get(5, "/rns/echo").await(5).status).isEqualTo(200);
    }
  }

  @Test
  void requestsOnTheirWayAreAnsweredWhenAFrontDrains() throws IOException {
    try (Http2Peer peer = peer()) {
      peer.acknowledges = false;
      peer.get(1, "/rns/hold?d");
      Waiting.until(() -> !server.reached.isEmpty());
      Thread drain = Thread.ofVirtual().start(() -> front.drain(Duration.ofSeconds(30)));
      while (peer.goAways.isEmpty()) {
        peer.read();
      }
      assertThat(peer.goAways).containsExactly(new GoAway(Integer.MAX_VALUE, 0));
      assertThat(peer.get(3, "/rns/echo").await(3).status).isEqualTo(200);
      server.gate("d").countDown();
      assertThat(peer.await(1).body()).isEqualTo("held /rns/hold?d 0");
      peer.send(PING, ACK, 0, new byte[8]);
      assertThat(peer.end()).isEqualTo(new GoAway(3, 0));
      Waiting.until(() -> !drain.isAlive());
      assertThat(front.clients()).isZero();
    }
  }

  @Test
  void aClientThatSendsMoreAndMoreDoesNotKeepADrainingFront() throws IOException {
    try (Http2Peer peer = peer()) {
      peer.get(1, "/rns/hold?d");
      Waiting.until(() -> !server.reached.isEmpty());
      Thread drain = Thread.ofVirtual().start(() -> front.drain(Duration.ofSeconds(30)));
      while (peer.goAways.isEmpty()) {
        peer.read();
      }
      pass(Duration.ofSeconds(6));
      while (peer.goAways.size() < 2) {
        peer.read();
      }
      assertThat(peer.goAways.getLast()).isEqualTo(new GoAway(1, 0));
      peer.get(3, "/rns/echo/later");
      server.gate("d").countDown();
      assertThat(peer.await(1).body()).isEqualTo("held /rns/hold?d 0");
      assertThat(peer.end().error()).isZero();
      assertThat(server.reached).doesNotContain("GET /rns/echo/later");
      Waiting.until(() -> !drain.isAlive());
    }
  }

  @Test
  void aConnectionThatMovesBeforeItsFirstByteIsSentAwayUnanswered() throws IOException {
    FrontSettings next = TestSettings.of(temporary.resolve("next"), List.of(server.url()));
    try (Socket early = new Socket(InetAddress.getLoopbackAddress(), front.port())) {
      Waiting.until(() -> front.clients() == 1);
      try (FrontServer successor = FrontServer.takeOver(next, temporary.resolve("admin"))) {
        Http2Peer peer = new Http2Peer(early, new byte[0]);
        peer.get(1, "/rns/echo");
        assertThat(peer.end()).as("to be repeated").isEqualTo(new GoAway(0, 0));
        assertThat(server.reached).isEmpty();
        try (Http2Peer again = new Http2Peer(successor.port())) {
          assertThat(again.get(1, "/rns/echo").await(1).status).isEqualTo(200);
        }
      }
    }
  }

  @Test
  void aSlowClientGetsAllOfTheLastResponse() throws IOException {
    try (Http2Peer peer = peer(0)) {
      peer.get(1, "/rns/hold?s");
      Waiting.until(() -> !server.reached.isEmpty());
      Thread drain = Thread.ofVirtual().start(() -> front.drain(Duration.ofSeconds(30)));
      while (peer.goAways.isEmpty()) {
        peer.read();
      }
      server.gate("s").countDown();
      while (peer.response(1).status == 0) {
        peer.read();
      }
      pass(Duration.ofSeconds(4));
      peer.send(WINDOW_UPDATE, 0, 1, Http2Peer.number(LARGE_WINDOW));
      assertThat(peer.await(1).body()).isEqualTo("held /rns/hold?s 0");
      assertThat(peer.end().error()).isZero();
      Waiting.until(() -> !drain.isAlive());
    }
  }
}
