package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients and servers that reset their connection while it moves from front to front, when neither sees its events. */
@Timeout(90)
class HandoverResetTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  @TempDir private Path temporary;
  private Holding server;
  private FrontServer front;

  /** A server that leaves requests to the test, each with its connection. */
  private static final class Holding implements AutoCloseable {
    final BlockingQueue<Socket> held = new LinkedBlockingQueue<>();
    private final ServerSocket socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());

    Holding() throws IOException {
      Thread.ofVirtual().start(() -> {
        while (!socket.isClosed()) {
          try {
            Socket client = socket.accept();
            Thread.ofVirtual().start(() -> serve(client));
          } catch (IOException e) {
            return;
          }
        }
      });
    }

    private void serve(Socket client) {
      try {
        HttpPeer peer = new HttpPeer(client);
        client.setSoTimeout(0);
        for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
          if (head.startsWith("GET /rns/servers ")) {
            peer.send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
          } else {
            held.add(client);
          }
        }
        client.close();
      } catch (IOException e) {
        // Reset by the test, or by the front.
      }
    }

    Socket next() throws InterruptedException {
      return Objects.requireNonNull(held.poll(30, TimeUnit.SECONDS), "no request has come");
    }

    URI url() {
      return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/rns");
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = new Holding();
    front = FrontServer.start(settings(0));
  }

  @AfterEach
  void stop() throws IOException {
    front.close();
    server.close();
  }

  private FrontSettings settings(int number) {
    return TestSettings.of(admin(number), List.of(server.url()), "--threads=1", "--server-connections=1");
  }

  private Path admin(int number) {
    return temporary.resolve("admin." + number);
  }

  private interface Action {
    void run() throws IOException;
  }

  /** Moves the front, and does something with its only connection while no front watches that. */
  private void migrate(Action meanwhile) throws Exception {
    Path path = temporary.resolve("relay");
    try (HandoverRelay relay = new HandoverRelay(path, admin(0), "window 1");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<FrontServer> successor = threads.submit(() -> FrontServer.takeOver(settings(1), path));
      Waiting.until(relay::isHolding);
      meanwhile.run();
      relay.goOn();
      FrontServer old = front;
      front = successor.get();
      old.awaitEnd();
      old.close();
    }
  }

  /** Resets a connection, and waits until the other side has got that. */
  private static void reset(Socket socket) throws IOException {
    String from = String.format(":%04X", socket.getPort());
    String to = String.format(":%04X", socket.getLocalPort());
    socket.setSoLinger(true, 0);
    socket.close();
    Waiting.until(() -> Stream.of("/proc/net/tcp", "/proc/net/tcp6").flatMap(HandoverResetTest::lines)
        .map(line -> line.strip().split(" +", 4)).noneMatch(line -> line[1].endsWith(from) && line[2].endsWith(to)));
  }

  private static Stream<String> lines(String list) {
    try {
      Path path = Path.of(list);
      return Files.exists(path) ? Files.readAllLines(path, StandardCharsets.US_ASCII).stream() : Stream.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each further migration and drain waited for it, until its bound. */
  @ParameterizedTest
  @ValueSource(strings = {
      "", "GET /rns/names/a HT", "GET /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /rns/watch/a HTTP/1.1\r\nHost: a\r\n\r\n"
  })
  void aClientThatResetsItsConnectionWhileItMovesIsGone(String sent) throws Exception {
    HttpPeer peer = new HttpPeer(front.port()).send(sent);
    Waiting.until(() -> front.clients() == 1);
    Socket request = sent.endsWith("\r\n\r\n") ? server.next() : null;
    boolean watch = sent.contains("/watch/");
    if (request != null && watch) {
      new HttpPeer(request).send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
      assertThat(peer.head()).startsWith("HTTP/1.1 200 ");
    }
    migrate(() -> reset(peer.socket()));
    Waiting.until(() -> front.clients() == 0 && front.health().get("streams").equals(0));
    if (request != null) {
      Waiting.until(request::isClosed);
    }
    try (HttpPeer other = new HttpPeer(front.port())) {
      other.send("GET /rns/names/b HTTP/1.1\r\nHost: a\r\n\r\n");
      new HttpPeer(server.next()).send(OK);
      assertThat(other.body()).as("the connection to the server is free").isEqualTo("ok");
    }
  }

  /** Its client waited for as long as a response may take, and the connection was never given back. */
  @Test
  void aRequestWhoseServerResetsItsConnectionWhileItMovesIsRepeated() throws Exception {
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send("GET /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n");
      Socket request = server.next();
      migrate(() -> reset(request));
      new HttpPeer(server.next()).send(OK);
      assertThat(peer.body()).isEqualTo("ok");
    }
  }

  @Test
  void aClientGetsTheResponseOfAServerThatThenResetsItsConnectionWhileItMoves() throws Exception {
    try (HttpPeer peer = new HttpPeer(front.port())) {
      peer.send("GET /rns/names/a HTTP/1.1\r\nHost: a\r\n\r\n");
      Socket request = server.next();
      migrate(() -> {
        new HttpPeer(request).send(OK);
        reset(request);
      });
      assertThat(peer.body()).isEqualTo("ok");
      peer.send("GET /rns/names/b HTTP/1.1\r\nHost: a\r\n\r\n");
      new HttpPeer(server.next()).send(OK);
      assertThat(peer.body()).isEqualTo("ok");
    }
  }

  /** As after a move to another machine. */
  @Test
  void aClientThatResetItsConnectionBeforeItIsServedIsGone() throws Exception {
    EpollServerSocketChannel listening = new EpollServerSocketChannel();
    listening.config().setAutoRead(false);
    FrontLoop loop = front.loops().getFirst();
    loop.executor().register(listening).sync();
    listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync();
    HttpPeer peer = new HttpPeer(listening.localAddress().getPort());
    int accepted = ((io.netty.channel.unix.Socket) listening.fd()).accept(new byte[64]);
    reset(peer.socket());
    front.listener().serve(new EpollSocketChannel(accepted), new byte[0]);
    boolean unused = FrontServer.on(loop, () -> true);
    Waiting.until(() -> front.clients() == 0);
    listening.close().sync();
  }
}
