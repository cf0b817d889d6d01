package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.rns.front.message.ClientHead;
import io.rns.front.message.RefusedMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FrontServerTest {
  private static final String NEXT = "GET /rns/echo/next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  @TempDir private Path temporary;
  private EchoServer server;
  private FrontServer front;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
    front = FrontServer.start(TestSettings.of(temporary.resolve("admin"), List.of(server.url())));
  }

  @AfterEach
  void stop() {
    front.close();
    server.close();
  }

  private String send(String request) throws IOException {
    try (HttpPeer peer = new HttpPeer(front.port())) {
      return peer.send(request).rest();
    }
  }

  @Test
  void passesRequestsAndResponsesOn() throws IOException {
    try (HttpPeer peer = new HttpPeer(front.port()); HttpPeer direct = new HttpPeer(server.port())) {
      for (String request : List.of(
          "GET /rns/echo/a%20b?x=y HTTP/1.1\r\nHost: a\r\nX-Test: 1\r\n\r\n",
          "POST /rns/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
          "POST /rns/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
          "PUT /rns/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n",
          "GET /rns/large?300000 HTTP/1.1\r\nHost: a\r\n\r\n")) {
        String own = undated(direct.send(request).response());
        assertThat(undated(peer.send(request).response())).isEqualToIgnoringCase(own);
      }
    }
  }

  /** Two responses may be of different seconds. */
  private static String undated(String response) {
    return response.replaceFirst("(?i)\r\nDate: [^\r]*", "");
  }

  @Test
  void answersPipelinedRequestsInOrder() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      all.append("POST /rns/echo/").append(i).append(" HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n")
          .append("%03d".formatted(i));
    }
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send(all.toString());
      for (int i = 0; i < 50; i++) {
        assertThat(peer.body()).isEqualTo("POST /rns/echo/" + i + "\n[]\n" + "%03d".formatted(i) + "\n");
      }
    }
  }

  @Test
  void readsRequestsInPiecesOfAnySize() throws IOException {
    String request =
        "POST /rns/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nT: u\r\n\r\n"
            + NEXT;
    try (HttpPeer peer = new HttpPeer(front.port())) {
      for (int i = 0; i < request.length(); i++) {
        peer.send(request.substring(i, i + 1));
      }
      assertThat(peer.body()).isEqualTo("POST /rns/echo\n[]\nabcde\n");
      assertThat(peer.rest()).contains("Connection: close").endsWith("GET /rns/echo/next\n[]\n\n");
    }
  }

  /** Its two bytes in two pieces were taken for a malformed request. */
  @Test
  void ignoresAnEmptyLineBeforeARequest() throws RefusedMessage {
    for (List<String> pieces : List.of(List.of("\r\n" + NEXT), List.of("\r", "\n" + NEXT), List.of("\r", "\n", NEXT))) {
      ArrivingRequests arriving = new ArrivingRequests();
      ClientHead head = null;
      for (String piece : pieces) {
        assertThat(head).isNull();
        arriving.add(Unpooled.copiedBuffer(piece, StandardCharsets.ISO_8859_1));
        head = arriving.readHead();
      }
      assertThat(head).isNotNull().extracting(ClientHead::target).isEqualTo("/rns/echo/next");
      arriving.drop();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 3000000", "Transfer-Encoding: chunked"})
  void passesLargeBodiesOnAsTheyArrive(String framing) throws IOException {
    String content = "0123456789".repeat(300_000);
    StringBuilder body = new StringBuilder();
    if (framing.startsWith("T")) {
      for (int i = 0; i < content.length(); i += 60_000) {
        body.append("ea60\r\n").append(content, i, i + 60_000).append("\r\n");
      }
      body.append("0\r\n\r\n");
    } else {
      body.append(content);
    }
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send("POST /rns/echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n" + framing + "\r\n\r\n");
      assertThat(peer.head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      peer.send(body + NEXT);
      assertThat(peer.body()).isEqualTo("POST /rns/echo\n[]\n" + content + "\n");
      assertThat(peer.rest()).endsWith("GET /rns/echo/next\n[]\n\n");
    }
  }

  @Test
  void serversAreReadNoFasterThanClientsRead() throws IOException {
    try (HttpPeer slow = new HttpPeer(front.port()); HttpPeer other = new HttpPeer(front.port())) {
      slow.send("GET /rns/large?40960000 HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(slow.head()).startsWith("HTTP/1.1 200");
      assertThat(other.send("GET /rns/echo HTTP/1.1\r\nHost: a\r\n\r\n").body()).startsWith("GET /rns/echo");
      long held = front.loops().stream()
          .mapToLong(
              loop -> FrontServer.on(loop, () -> loop.movable(9).stream().mapToLong(ClientLink::unreadBytes).sum()))
          .sum();
      assertThat(held).isLessThan(200_000);
      assertThat(slow.content().length()).isEqualTo(40_960_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "Host: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
      "Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
      "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
      "Host: a\r\nTransfer-Encoding: identity\r\n\r\n",
      "Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "Host: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
      "Host: a\r\nContent-Length: +4\r\n\r\nbody",
      "Host: a\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nbody",
      "Host: a\r\nContent-Length: 4, 4\r\n\r\nbody",
      "Host: a\r\nX: 1\r\n folded\r\n\r\n",
      "Host: a\r\nX: 1\n\r\n",
      "Host: a\r\nX: 1\rY: 2\r\n\r\n",
      "Host: a\r\nX\r\n\r\n",
      "Host: a\r\n: x\r\n\r\n",
      "Host: a\r\nX: \u0000\r\n\r\n",
      "Host:\r\n\r\n",
      "Host: a\r\nHost: b\r\n\r\n",
      "\r\n"
  })
  void refusesAmbiguousRequestsAndCloses(String rest) throws IOException {
    String answer = send("POST /rns/echo HTTP/1.1\r\n" + rest + NEXT);
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("Connection: close", "\"code\":\"MALFORMED_MESSAGE\"");
    assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
    assertThat(server.reached).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "4\nbody\r\n0\r\n\r\n", "4\r\nbody\n0\r\n\r\n", "4\r\nbodyrest\r\n0\r\n\r\n", "4\r\nbody\r\n0\n\n",
      "4\r\nbody\r\n0\r\nTrailer: a\n\r\n", "4;a\nb\r\nbody\r\n0\r\n\r\n", "\r\n4\r\nbody\r\n0\r\n\r\n",
      "4\r\nbody\r\n0\r\nGET /rns/echo HTTP/1.1\r\nHost: a\r\n\r\n", "4\r\nbody\r\n0\r\nX: y\r\n folded\r\n\r\n",
      "4 0\r\nbody\r\n0\r\n\r\n", "4;\u0001\r\nbody\r\n0\r\n\r\n",
      "-4\r\nbody\r\n0\r\n\r\n", "0x4\r\nbody\r\n0\r\n\r\n", "fffffffffffffffff\r\nbody\r\n0\r\n\r\n"
  })
  void refusesMalformedChunks(String chunks) throws IOException {
    String answer = send("POST /rns/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + NEXT);
    assertThat(answer).startsWith("HTTP/1.1 400 ");
    assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
    assertThat(server.reached).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1", "GET /__asadmin/x HTTP/1.1", "GET /rnsx HTTP/1.1"})
  void answersNothingOutsideTheService(String line) throws IOException {
    assertThat(send(line + "\r\nHost: a\r\n\r\n")).startsWith("HTTP/1.1 404 ").endsWith("Content-Length: 0\r\n\r\n");
  }

  @Test
  void refusesOtherVersionsAndForms() throws IOException {
    String late = send("GET /rns/echo HTTP/1.1\r\nHost: a\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    assertThat(late).startsWith("HTTP/1.1 200 ").contains("HTTP/1.1 400 ");
    assertThat(send("PRI * HTTP/2.0\r\nX: y\r\n\r\nSM\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    assertThat(send("GET /rns/echo HTTP/2.0\r\nHost: a\r\n\r\n")).startsWith("HTTP/1.1 505 ");
    assertThat(send("GET http://b/rns/echo HTTP/1.1\r\nHost: a\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    assertThat(send("GET /rns/echo HTTP/1.1\r\nHost: a\r\nX: " + "y".repeat(20_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ");
    assertThat(send("GET /rns/echo HTTP/1.1\r\nHost: a\r\nExpect: much\r\n\r\n")).startsWith("HTTP/1.1 417 ");
  }

  @Test
  void removesFieldsOfTheConnection() throws IOException {
    assertThat(send(
        "GET /rns/echo HTTP/1.1\r\nHost: a\r\nX-Test: 1\r\nConnection: X-Test, close, Host\r\nTE: trailers\r\nUpgrade: h2c\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ").endsWith("GET /rns/echo\n[]\n\n");
  }

  @Test
  void servesHttp10() throws IOException {
    assertThat(send("GET /rns/echo HTTP/1.0\r\n\r\n")).contains(" 200 ").endsWith("GET /rns/echo\n[]\n\n");
  }

  @Test
  void answersAClientThatHasEndedItsSide() throws IOException {
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send("GET /rns/hold?half HTTP/1.1\r\nHost: a\r\n\r\n");
      peer.socket().shutdownOutput();
      Waiting.until(() -> !server.reached.isEmpty());
      server.gate("half").countDown();
      assertThat(peer.rest()).endsWith("held /rns/hold?half 0");
    }
  }

  @Test
  void passesEventsOnAtOnce() throws IOException {
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send("GET /rns/watch HTTP/1.1\r\nHost: a\r\n\r\n");
      server.events.add("first");
      assertThat(peer.head()).contains("text/event-stream");
      assertThat(peer.event()).isEqualTo("data: first");
      for (String event : List.of("one", "two")) {
        server.events.add(event);
        assertThat(peer.event()).isEqualTo("data: " + event);
      }
      assertThat(front.health()).containsEntry("streams", 1);
      server.events.add("end");
      Waiting.until(() -> front.health().get("streams").equals(0));
    }
  }
}
