package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections in every state move from front to front, in one process. */
@Timeout(60)
class FrontHandoverTest {
  @TempDir private Path temporary;
  private final List<FrontServer> fronts = new ArrayList<>();
  private EchoServer server;
  private int port;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
    fronts.add(FrontServer.start(settings(0)));
    port = fronts.getFirst().port();
  }

  @AfterEach
  void stop() {
    fronts.forEach(FrontServer::close);
    server.close();
  }

  private FrontSettings settings(int number) {
    return FrontSettings.of("127.0.0.1", 0, List.of(server.url()), admin(number));
  }

  private Path admin(int number) {
    return temporary.resolve("admin." + number);
  }

  private void migrate() throws Exception {
    FrontServer old = fronts.getLast();
    FrontServer successor = FrontServer.takeOver(settings(fronts.size()), admin(fronts.size() - 1));
    fronts.add(successor);
    old.awaitEnd();
    assertThat(old.clients()).isZero();
    assertThat(successor.port()).isEqualTo(port);
    old.close();
  }

  private static String echo(String name, String body) {
    return "POST /rns/echo/" + name + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static String echoed(String name, String body) {
    return "POST /rns/echo/" + name + "\n[]\n" + body + "\n";
  }

  @Test
  void movesIdleConnections() throws Exception {
    try (HttpPeer idle = new HttpPeer(port); HttpPeer used = new HttpPeer(port)) {
      assertThat(used.send(echo("1", "a")).body()).isEqualTo(echoed("1", "a"));
      for (int i = 0; i < 3; i++) {
        migrate();
        assertThat(used.send(echo("2", "b")).body()).isEqualTo(echoed("2", "b"));
      }
      assertThat(idle.send(echo("3", "c")).body()).isEqualTo(echoed("3", "c"));
    }
    try (HttpPeer later = new HttpPeer(port)) {
      assertThat(later.send(echo("4", "d")).body()).isEqualTo(echoed("4", "d"));
    }
  }

  @Test
  void movesRequestsThatArrive() throws Exception {
    String request =
        "PUT /rns/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    try (HttpPeer peer = new HttpPeer(port)) {
      int step = request.length() / 4 + 1;
      for (int i = 0; i < request.length(); i += step) {
        peer.send(request.substring(i, Math.min(request.length(), i + step)));
        // Until the front has read it, which bytes in the kernel would hide.
        assertThat(other("x" + i)).isEqualTo(echoed("x" + i, "y"));
        migrate();
      }
      assertThat(peer.body()).isEqualTo("PUT /rns/echo\n[]\nabcde\n");
    }
  }

  private String other(String name) throws IOException {
    try (HttpPeer peer = new HttpPeer(port)) {
      return peer.send(echo(name, "y")).body();
    }
  }

  @Test
  void movesRequestsThatAServerHas() throws Exception {
    try (HttpPeer held = new HttpPeer(port)) {
      held.send("GET /rns/hold?a HTTP/1.1\r\nHost: a\r\n\r\n" + echo("next", "n"));
      Waiting.until(() -> !server.reached.isEmpty());
      migrate();
      migrate();
      server.gate("a").countDown();
      assertThat(held.body()).isEqualTo("held /rns/hold?a 0");
      assertThat(held.body()).isEqualTo(echoed("next", "n"));
      assertThat(server.reached).containsExactly("GET /rns/hold?a", "POST /rns/echo/next");
    }
  }

  @Test
  void movesLargeBodiesInBothDirections() throws Exception {
    String content = "0123456789".repeat(200_000);
    try (HttpPeer up = new HttpPeer(port); HttpPeer chunked = new HttpPeer(port); HttpPeer down = new HttpPeer(port)) {
      up.send("POST /rns/echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + content.length() + "\r\n\r\n");
      chunked.send("POST /rns/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1e8480\r\n");
      down.send("GET /rns/large?4096000 HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(down.head()).startsWith("HTTP/1.1 200 ");
      int pieces = 5;
      for (int i = 0; i < pieces; i++) {
        String piece = content.substring(i * content.length() / pieces, (i + 1) * content.length() / pieces);
        up.send(piece);
        chunked.send(piece);
        migrate();
      }
      chunked.send("\r\n0\r\n\r\n");
      assertThat(up.body()).isEqualTo("POST /rns/echo\n[]\n" + content + "\n");
      assertThat(chunked.body()).isEqualTo("POST /rns/echo\n[]\n" + content + "\n");
      try (HttpPeer direct = new HttpPeer(server.port())) {
        String whole = direct.send("GET /rns/large?4096000 HTTP/1.1\r\nHost: a\r\n\r\n").body();
        assertThat(down.content()).isEqualTo(whole);
      }
    }
  }

  @Test
  void movesWatches() throws Exception {
    try (HttpPeer peer = new HttpPeer(port)) {
      peer.send("GET /rns/watch HTTP/1.1\r\nHost: a\r\n\r\n");
      server.events.add("0");
      assertThat(peer.head()).contains("text/event-stream");
      assertThat(peer.event()).isEqualTo("data: 0");
      for (int i = 1; i < 4; i++) {
        migrate();
        assertThat(fronts.getLast().health()).containsEntry("streams", 1);
        server.events.add("" + i);
        assertThat(peer.event()).isEqualTo("data: " + i);
      }
      server.events.add("end");
      Waiting.until(() -> fronts.getLast().health().get("streams").equals(0));
    }
  }

  @Test
  void keepsItsConnectionsIfTheSuccessorDoesNotTakeThem() throws Exception {
    try (HttpPeer peer = new HttpPeer(port)) {
      assertThat(peer.send(echo("1", "a")).body()).isEqualTo(echoed("1", "a"));
      // A successor that ends before it has received anything.
      try (var socket = java.nio.channels.SocketChannel.open(UnixDomainSocketAddress.of(admin(0)));
          ServerSocketChannel descriptors = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        Path path = temporary.resolve("fd");
        descriptors.bind(UnixDomainSocketAddress.of(path));
        socket.write(
            java.nio.ByteBuffer.wrap(("takeover " + path + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        var received = java.nio.ByteBuffer.allocate(9);
        while (received.hasRemaining()) {
          socket.read(received);
        }
      }
      assertThat(peer.send(echo("2", "b")).body()).isEqualTo(echoed("2", "b"));
      assertThat(other("3")).isEqualTo(echoed("3", "y"));
      migrate();
      assertThat(peer.send(echo("4", "d")).body()).isEqualTo(echoed("4", "d"));
    }
  }

  @Test
  void refusesToTakeOverFromNothing() {
    assertThatThrownBy(() -> FrontServer.takeOver(settings(1), temporary.resolve("nothing")))
        .isInstanceOf(IOException.class);
  }
}
