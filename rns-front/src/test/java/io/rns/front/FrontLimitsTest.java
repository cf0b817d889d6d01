package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Position;
import io.rns.front.message.ClientHead;
import io.rns.front.message.RefusedMessage;
import io.rns.front.message.ServerHead;
import io.rns.front.message.SharedRead;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A front with the smallest limits. */
@Timeout(60)
class FrontLimitsTest {
  private static final String ECHO = "GET /rns/echo HTTP/1.1\r\nHost: a\r\n\r\n";

  @TempDir private Path temporary;
  private EchoServer server;
  private FrontServer front;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
    front = FrontServer.start(settings("admin", Duration.ofMinutes(1)));
  }

  private FrontSettings settings(String admin, Duration bound) {
    return TestSettings.of(
        temporary.resolve(admin), List.of(server.url()), "--cache=0", "--threads=1", "--connections=3",
        "--server-connections=1", "--streams=1", "--waiting=1", "--memory=1", "--request-timeout=" + bound.toSeconds(),
        "--idle-timeout=60", "--answer-timeout=" + bound.toSeconds(), "--stall-timeout=" + bound.toSeconds());
  }

  @AfterEach
  void stop() {
    front.close();
    server.close();
  }

  @Test
  void disconnectsClientsBeyondTheLimit() throws IOException {
    try (HttpPeer one = new HttpPeer(front.port());
        HttpPeer two = new HttpPeer(front.port());
        HttpPeer three = new HttpPeer(front.port())) {
      for (HttpPeer peer : List.of(one, two, three)) {
        assertThat(peer.send(ECHO).response()).startsWith("HTTP/1.1 200 ");
      }
      try (HttpPeer four = new HttpPeer(front.port())) {
        assertThat(four.rest()).isEmpty();
      }
      assertThat(front.health()).containsEntry("connections", 3).containsEntry("cutClients", 1L);
    }
    Waiting.until(() -> front.clients() == 0);
  }

  /** They were disconnected. */
  @Test
  void requestsOfHttp2DoNotKeepClientsOut() throws IOException {
    try (Http2Peer peer = new Http2Peer(front.port())) {
      peer.get(1, "/rns/hold?m").get(3, "/rns/hold?m").get(5, "/rns/echo");
      assertThat(peer.await(5).reset).as("REFUSED_STREAM").isEqualTo(7);
      try (HttpPeer other = new HttpPeer(front.port())) {
        assertThat(other.send("GET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n").response())
            .startsWith("HTTP/1.1 404 ");
      }
      assertThat(front.health()).containsEntry("cutClients", 0L);
      server.gate("m").countDown();
    }
  }

  /** Until the next sweep they counted nothing: many clients that do not read could take all memory meanwhile. */
  @Test
  void answersOfTheCacheThatAreNotReadTakeMemory() throws IOException, RefusedMessage {
    Path secret = Files.writeString(temporary.resolve("secret"), "0123456789abcdef".repeat(2));
    FrontSettings settings =
        TestSettings.of(
            temporary.resolve("cached"), List.of(server.url()), "--secret-file=" + secret, "--cache=1", "--threads=1",
            "--connections=200", "--server-connections=1", "--streams=1", "--waiting=1", "--memory=1");
    try (FrontServer cached = FrontServer.start(settings);
        Http2Peer peer = new Http2Peer(cached.port())) {
      AnswerCache answers = Objects.requireNonNull(cached.loops().getFirst().answers());
      answers.begin(new Position(0, 1, 10));
      answers.advance(new Position(0, 1, 10), 0, System.nanoTime(), 0);
      SharedRead read = ClientHead.read(
          "GET /rns/names/a HTTP/1.1\r\nHost: a\r\nRNS-Consistency: any\r\n\r\n".getBytes(StandardCharsets.US_ASCII))
          .shared();
      int length = 16_384;
      answers.keep(Objects.requireNonNull(read),
          new ServerHead.Shared("0-1-10=%2Fa", "0-1-10",
              "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII), false),
          new byte[length], null);
      for (int stream = 1; stream < 200; stream += 2) {
        peer.send(Http2Peer.HEADERS, Http2Peer.END_HEADERS | Http2Peer.END_STREAM, stream,
            peer.request("GET", "/rns/names/a", "rns-consistency", "any"));
      }
      Waiting.until(() -> cached.health().get("cached") instanceof Long given
          && cached.health().get("refused") instanceof Long refused && given + refused == 100);
      assertThat((long) cached.health().get("cached")).isBetween(50L, 80L);
    }
  }

  /** Each may have 128 KiB, and each of many servers hundreds on their way: a front has less memory. */
  @Test
  void answersThatArriveSlowlyToBeKeptTakeLittleMemory() throws IOException {
    Path secret = Files.writeString(temporary.resolve("secret"), "0123456789abcdef".repeat(2));
    FrontSettings settings =
        TestSettings.of(temporary.resolve("slow"), List.of(server.url()), "--secret-file=" + secret, "--cache=1",
            "--threads=1", "--connections=20", "--server-connections=10");
    try (FrontServer cached = FrontServer.start(settings)) {
      AnswerCache answers = Objects.requireNonNull(cached.loops().getFirst().answers());
      List<HttpPeer> peers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        peers.add(new HttpPeer(cached.port()));
      }
      for (HttpPeer peer : peers) {
        peer.send("GET /rns/shared?s HTTP/1.1\r\nHost: a\r\nRNS-Consistency: any\r\n\r\n");
      }
      for (HttpPeer peer : peers) {
        assertThat(peer.skip(90_000)).isEqualTo(90_000);
      }
      assertThat(answers.arriving()).isBetween(1L, 1L << 18);
      peers.getFirst().close();
      server.gate("s").countDown();
      for (HttpPeer peer : peers.subList(1, peers.size())) {
        assertThat(peer.skip(30_000)).isEqualTo(30_000);
        peer.close();
      }
      Waiting.until(() -> answers.arriving() == 0);
    }
  }

  @Test
  void refusesRequestsForWhichThereIsNoPlace() throws IOException {
    try (HttpPeer one = new HttpPeer(front.port());
        HttpPeer two = new HttpPeer(front.port());
        HttpPeer three = new HttpPeer(front.port())) {
      one.send("GET /rns/hold?p HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> !server.reached.isEmpty());
      two.send(ECHO);
      // The place to wait is taken when a third request is refused.
      Waiting.until(() -> front.health().get("requests").equals(2L));
      assertThat(three.send(ECHO).response()).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1",
          "\"code\":\"BUSY\"");
      server.gate("p").countDown();
      assertThat(one.response()).startsWith("HTTP/1.1 200 ");
      assertThat(two.response()).startsWith("HTTP/1.1 200 ");
      assertThat(three.send(ECHO).response()).startsWith("HTTP/1.1 200 ");
    }
  }

  /** They had it for as long as a client may take otherwise, here a minute. */
  @Test
  void clientsThatDoNotReadLeaveTheirConnectionToOthers() throws IOException {
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(16_384);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), front.port()));
      try (HttpPeer deaf = new HttpPeer(socket); HttpPeer other = new HttpPeer(front.port())) {
        deaf.send("GET /rns/large?80000000 HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(deaf.head()).startsWith("HTTP/1.1 200 ");
        assertThat(other.send(ECHO).response()).startsWith("HTTP/1.1 200 ");
        assertThat(front.health()).containsEntry("cutClients", 1L);
      }
    }
  }

  /** What the front had, and the system had not taken yet, was dropped. */
  @Test
  void aClientThatEndsItsSideGetsAllOfTheResponse() throws IOException {
    boolean fits = true;
    int size = 0;
    while (fits) {
      size += 16_384;
      try (Socket socket = new Socket()) {
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), front.port()));
        try (HttpPeer slow = new HttpPeer(socket); HttpPeer other = new HttpPeer(front.port())) {
          slow.send("GET /rns/large?" + size + " HTTP/1.1\r\nHost: a\r\n\r\n");
          assertThat(slow.head()).startsWith("HTTP/1.1 200 ");
          assertThat(other.send(ECHO).response()).startsWith("HTTP/1.1 200 ");
          fits = front.health().get("cutClients").equals(0L);
          if (fits) {
            // The connection to the server was free, so the front has all of the response.
            socket.shutdownOutput();
            assertThat(slow.content()).hasSize(size);
          }
        }
      }
      Waiting.until(() -> front.clients() == 0);
    }
    assertThat(size).as("a response that does not fit into the front").isGreaterThan(16_384);
  }

  /** It got the first only. */
  @Test
  void aClientThatEndsItsSideGetsAllResponses() throws IOException {
    for (String end : List.of("", "GET /rns/echo HTTP/1.1\r\nHo")) {
      try (HttpPeer peer = new HttpPeer(front.port())) {
        peer.send("GET /rns/hold?end" + end.length() + " HTTP/1.1\r\nHost: a\r\n\r\n" + echo("2") + echo("3") + end);
        peer.socket().shutdownOutput();
        server.gate("end" + end.length()).countDown();
        assertThat(peer.response()).startsWith("HTTP/1.1 200 ").doesNotContain("Connection: close");
        assertThat(peer.body()).startsWith("POST /rns/echo/2\n");
        assertThat(peer.response()).contains("POST /rns/echo/3\n");
        if (!end.isEmpty()) {
          assertThat(peer.response()).startsWith("HTTP/1.1 400 ");
        }
        assertThat(peer.rest()).isEmpty();
      }
    }
  }

  /** All waited in one queue, which the requests to one server could fill. */
  @Test
  void aServerThatDoesNotAnswerTakesNoPlaceOfAnother() throws IOException {
    try (EchoServer stalled = new EchoServer();
        FrontServer both = FrontServer.start(
            TestSettings.of(temporary.resolve("both"), List.of(stalled.url()), "--cache=0", "--threads=1",
                "--server-connections=1", "--waiting=1"));
        HttpPeer one = new HttpPeer(both.port());
        HttpPeer two = new HttpPeer(both.port());
        HttpPeer three = new HttpPeer(both.port());
        HttpPeer four = new HttpPeer(both.port())) {
      stalled.list = "{%s,\"parts\":[{%s}]}".formatted(part("/", stalled), part("/b", server));
      Waiting.until(() -> both.health().get("servers") instanceof List<?> known && known.size() == 2);
      one.send("DELETE /rns/names/a HTTP/1.1\r\nHost: a\r\nX-Hold: one\r\n\r\n");
      Waiting.until(() -> stalled.reached.size() == 1);
      two.send("DELETE /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> both.health().get("requests").equals(2L));
      three.send("DELETE /rns/names/b/c HTTP/1.1\r\nHost: a\r\nX-Hold: three\r\n\r\n");
      Waiting.until(() -> server.reached.size() == 1);
      four.send("DELETE /rns/names/b/c HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> both.health().get("requests").equals(4L));
      server.gate("three").countDown();
      assertThat(three.response()).startsWith("HTTP/1.1 200 ");
      assertThat(four.response()).startsWith("HTTP/1.1 200 ");
      stalled.gate("one").countDown();
      assertThat(one.response()).startsWith("HTTP/1.1 200 ");
      assertThat(two.response()).startsWith("HTTP/1.1 200 ");
    }
  }

  /** Clients of any address of this machine. */
  private record Peers(int port, List<HttpPeer> all) implements AutoCloseable {
    HttpPeer add(String address) throws IOException {
      HttpPeer peer = new HttpPeer(
          new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(address), 0));
      all.add(peer);
      return peer;
    }

    @Override
    public void close() throws IOException {
      for (HttpPeer peer : all) {
        peer.close();
      }
    }
  }

  private static String echo(String name) {
    return "POST /rns/echo/" + name + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
  }

  /**
   * Thousands of one address would hold up all others, since those that read nothing keep their connections for long.
   */
  @Test
  void requestsOfOneAddressHoldUpNoOther() throws IOException {
    try (FrontServer fair = FrontServer.start(
        TestSettings.of(temporary.resolve("fair"), List.of(server.url()), "--cache=0", "--threads=1",
            "--server-connections=8", "--waiting=3"));
        Peers many = new Peers(fair.port(), new ArrayList<>())) {
      HttpPeer other = many.add("127.0.0.2");
      for (int i = 0; i < 7; i++) {
        many.add("127.0.0.1").send("GET /rns/hold?fair HTTP/1.1\r\nHost: a\r\n\r\n");
      }
      Waiting.until(() -> server.reached.size() == 7);
      HttpPeer first = many.add("127.0.0.1").send(echo("first"));
      Waiting.until(() -> fair.health().get("requests").equals(8L));
      assertThat(other.send(echo("other")).response()).as("a connection is left to others").startsWith("HTTP/1.1 200 ");
      assertThat(server.reached).doesNotContain("POST /rns/echo/first");
      other.send("GET /rns/hold?other HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> server.reached.contains("GET /rns/hold?other"));
      HttpPeer second = many.add("127.0.0.1").send(echo("second"));
      HttpPeer third = many.add("127.0.0.1").send(echo("third"));
      Waiting.until(() -> fair.health().get("requests").equals(12L));
      HttpPeer late = many.add("127.0.0.3").send(echo("late"));
      assertThat(third.response()).as("the last of the address with the most").startsWith("HTTP/1.1 503 ");
      server.gate("other").countDown();
      server.gate("fair").countDown();
      for (HttpPeer each : List.of(first, second, late, other)) {
        assertThat(each.response()).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  /** Its place could not be had by the request that waits. */
  @Test
  void aClientThatDoesNotReadStaysIfThatHoldsUpNoOther() throws IOException {
    try (FrontServer fair = FrontServer.start(
        TestSettings.of(temporary.resolve("stays"), List.of(server.url()), "--cache=0", "--threads=1",
            "--server-connections=8"));
        Peers peers = new Peers(fair.port(), new ArrayList<>())) {
      for (int i = 0; i < 7; i++) {
        peers.add("127.0.0.1").send("GET /rns/hold?stays HTTP/1.1\r\nHost: a\r\n\r\n");
      }
      Waiting.until(() -> server.reached.size() == 7);
      HttpPeer deaf = peers.add("127.0.0.2").send("GET /rns/large?40960000 HTTP/1.1\r\nHost: a\r\n\r\n");
      FrontLoop loop = fair.loops().getFirst();
      Waiting.until(() -> FrontServer.on(loop, loop::unreadBytes) > 16_384);
      HttpPeer waiting = wait(fair, peers, "127.0.0.1", "w");
      boolean unused = FrontServer.on(loop, () -> {
        loop.sweep(System.nanoTime() + Duration.ofSeconds(11).toNanos());
        return true;
      });
      assertThat(fair.health().get("cutClients")).isEqualTo(0L);
      server.gate("stays").countDown();
      assertThat(waiting.response()).startsWith("HTTP/1.1 200 ");
      assertThat(deaf.head()).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void addressesTakeTurns() throws IOException {
    try (FrontServer fair = oneConnection("turns"); Peers peers = new Peers(fair.port(), new ArrayList<>())) {
      peers.add("127.0.0.1").send("GET /rns/hold?turns HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> server.reached.size() == 1);
      HttpPeer first = wait(fair, peers, "127.0.0.1", "a");
      HttpPeer second = wait(fair, peers, "127.0.0.1", "b");
      HttpPeer other = wait(fair, peers, "127.0.0.2", "c");
      server.gate("turns").countDown();
      for (HttpPeer each : List.of(first, other, second)) {
        assertThat(each.response()).startsWith("HTTP/1.1 200 ");
      }
      assertThat(server.reached).endsWith("POST /rns/echo/a", "POST /rns/echo/c", "POST /rns/echo/b");
    }
  }

  /** It refused the one whose turn was next, whose client then sent another request, and so on. */
  @Test
  void aNewcomerIsRefusedIfEachAddressHasOneRequestThatWaits() throws IOException {
    try (FrontServer fair = oneConnection("ties"); Peers peers = new Peers(fair.port(), new ArrayList<>())) {
      peers.add("127.0.0.1").send("GET /rns/hold?ties HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> server.reached.size() == 1);
      List<HttpPeer> waiting = List.of(wait(fair, peers, "127.0.0.1", "a"), wait(fair, peers, "127.0.0.2", "b"),
          wait(fair, peers, "127.0.0.3", "c"));
      assertThat(peers.add("127.0.0.4").send(echo("d")).response()).startsWith("HTTP/1.1 503 ");
      server.gate("ties").countDown();
      for (HttpPeer each : waiting) {
        assertThat(each.response()).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  private FrontServer oneConnection(String name) throws IOException {
    return FrontServer.start(TestSettings.of(temporary.resolve(name), List.of(server.url()), "--cache=0", "--threads=1",
        "--server-connections=1", "--waiting=3"));
  }

  /** Sends a request that has to wait. */
  private static HttpPeer wait(FrontServer front, Peers peers, String address, String name) throws IOException {
    long before = (long) front.health().get("requests");
    HttpPeer peer = peers.add(address).send(echo(name));
    Waiting.until(() -> front.health().get("requests").equals(before + 1));
    return peer;
  }

  private static String part(String prefix, EchoServer primary) {
    return """
        "prefix":"%s","epoch":1,"ttlMillis":30000,"servers":[
        {"url":"%s","name":"s","role":"primary","capacity":100,"load":1,"lagMillis":0}]"""
        .formatted(prefix, primary.url());
  }

  /** Each took 16 KiB, as much as is read at a time: thousands of clients that send a byte had all others refused. */
  @Test
  void beginningsOfRequestsTakeNoMoreMemoryThanTheyNeed() throws IOException {
    try (FrontServer small = FrontServer.start(
        TestSettings.of(temporary.resolve("small"), List.of(server.url()), "--cache=0", "--threads=1", "--memory=1"));
        Peers peers = new Peers(small.port(), new ArrayList<>())) {
      for (int i = 0; i < 100; i++) {
        // The response says that the front has the beginning of the next request, too.
        assertThat(peers.add("127.0.0.1").send(ECHO + "G").response()).startsWith("HTTP/1.1 200 ");
      }
      for (HttpPeer each : peers.all()) {
        each.send("ET /rns/echo HTTP/1.1\r\nHo");
      }
      assertThat(peers.add("127.0.0.2").send(ECHO).response()).startsWith("HTTP/1.1 200 ");
      for (HttpPeer each : peers.all()) {
        assertThat(each.send(each == peers.all().getLast() ? ECHO : "st: a\r\n\r\n").response())
            .startsWith("HTTP/1.1 200 ");
      }
    }
  }

  @Test
  void refusesWatchesBeyondTheLimit() throws IOException {
    String watch = "GET /rns/watch HTTP/1.1\r\nHost: a\r\n\r\n";
    try (HttpPeer one = new HttpPeer(front.port()); HttpPeer two = new HttpPeer(front.port())) {
      server.events.add("1");
      one.send(watch);
      assertThat(one.head()).contains("text/event-stream");
      assertThat(two.send(watch).response()).startsWith("HTTP/1.1 503 ").contains("\"code\":\"BUSY\"");
      assertThat(two.send(ECHO).response()).as("watches take no place of others").startsWith("HTTP/1.1 200 ");
      server.events.add("end");
    }
  }

  @Test
  void endsWhatLastsTooLong() throws IOException {
    try (FrontServer hasty = FrontServer.start(settings("hasty", Duration.ofSeconds(1)));
        HttpPeer head = new HttpPeer(hasty.port());
        HttpPeer body = new HttpPeer(hasty.port());
        HttpPeer late = new HttpPeer(hasty.port())) {
      late.send("GET /rns/hold?never HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(late.response()).startsWith("HTTP/1.1 503 ").contains("\"code\":\"TIMEOUT\"");
      head.send("GET /rns/echo HT");
      body.send("POST /rns/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx");
      assertThat(head.rest()).startsWith("HTTP/1.1 408 ").contains("Connection: close");
      assertThat(body.rest()).startsWith("HTTP/1.1 408 ").contains("Connection: close");
    }
  }

  @Test
  void drains() throws IOException {
    try (HttpPeer idle = new HttpPeer(front.port()); HttpPeer busy = new HttpPeer(front.port())) {
      assertThat(idle.send(ECHO).response()).startsWith("HTTP/1.1 200 ");
      busy.send("GET /rns/hold?d HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> server.reached.size() == 2);
      Thread drain = Thread.ofVirtual().start(() -> front.drain(Duration.ofSeconds(30)));
      assertThat(idle.rest()).isEmpty();
      server.gate("d").countDown();
      assertThat(busy.rest()).contains(" 200 ", "Connection: close").endsWith("held /rns/hold?d 0");
      Waiting.until(() -> !drain.isAlive());
    }
    assertThatThrownBy(() -> new HttpPeer(front.port())).isInstanceOf(IOException.class);
  }

  @Test
  void validatesItsSettings() {
    for (String server : List.of("https://a", "http://a", "ftp://a/rns", "http://a/rns?x")) {
      assertThatThrownBy(() -> TestSettings.of(temporary, List.of(URI.create(server))))
          .hasMessageContaining("--server must be");
    }
    List<URI> servers = List.of(URI.create("http://a/rns"));
    assertThatThrownBy(() -> TestSettings.of(temporary, servers, "--connections=0"))
        .hasMessageContaining("--connections must be from 1 to 1000000, not 0");
    assertThatThrownBy(() -> TestSettings.of(temporary, servers, "--stall-timeout=0"))
        .hasMessageContaining("a timeout must be from 1 to 86400, not 0");
  }
}
