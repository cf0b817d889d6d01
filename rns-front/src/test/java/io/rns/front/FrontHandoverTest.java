package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.rns.front.message.BodyFraming;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections in every state move from front to front, in one process. */
@Timeout(60)
class FrontHandoverTest {
  private static final String TAKE_OVER = "takeover " + HandoverStep.FORMAT + " ";

  @TempDir private Path temporary;
  private final List<FrontServer> fronts = new ArrayList<>();
  private EchoServer server;
  private int port;
  private int sockets;

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
    return TestSettings.of(admin(number), List.of(server.url()));
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

  /** A successor that ends after some steps, without serving anybody; false while the front deals with the last one. */
  private boolean endsAfter(int windows) throws IOException {
    Path path = temporary.resolve("fd" + sockets++);
    try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(admin(0)));
        ServerSocketChannel descriptors = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        DataInputStream in = new DataInputStream(Channels.newInputStream(socket));
        OutputStream out = Channels.newOutputStream(socket)) {
      descriptors.bind(UnixDomainSocketAddress.of(path));
      out.write((TAKE_OVER + path + "\n").getBytes(StandardCharsets.UTF_8));
      long pid = in.readLong();
      if (pid == HandoverSender.REFUSED) {
        return false;
      }
      assertThat(pid).isEqualTo(ProcessHandle.current().pid());
      assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.LISTENER);
      for (int i = 0; i < windows; i++) {
        out.write(HandoverStep.RECEIVED.code());
        assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.COMMIT);
        assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.WINDOW);
        int size = in.readInt();
        for (int j = 0; j < size; j++) {
          assertThat(ConnectionState.read(in).sockets()).isBetween(1, 2);
        }
      }
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void keepsWhatTheSuccessorDoesNotConfirm(int windows) throws Exception {
    try (HttpPeer idle = new HttpPeer(port);
        HttpPeer half = new HttpPeer(port);
        HttpPeer held = new HttpPeer(port);
        HttpPeer watch = new HttpPeer(port)) {
      half.send("POST /rns/echo/1 HTTP/1.1\r\nHo");
      held.send("GET /rns/hold?k HTTP/1.1\r\nHost: a\r\n\r\n");
      watch.send("GET /rns/watch HTTP/1.1\r\nHost: a\r\n\r\n");
      server.events.add("1");
      assertThat(watch.head()).contains("text/event-stream");
      assertThat(watch.event()).isEqualTo("data: 1");
      Waiting.until(() -> server.reached.contains("GET /rns/hold?k"));
      for (int i = 0; i < 3; i++) {
        Waiting.until(() -> {
          try {
            return endsAfter(windows);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
      }
      half.send("st: a\r\nContent-Length: 1\r\n\r\nx");
      assertThat(half.body()).isEqualTo(echoed("1", "x"));
      server.events.add("2");
      assertThat(watch.event()).isEqualTo("data: 2");
      server.gate("k").countDown();
      assertThat(held.body()).isEqualTo("held /rns/hold?k 0");
      assertThat(idle.send(echo("2", "y")).body()).isEqualTo(echoed("2", "y"));
      assertThat(other("3")).isEqualTo(echoed("3", "y"));
      migrate();
      assertThat(idle.send(echo("4", "z")).body()).isEqualTo(echoed("4", "z"));
      server.events.add("end");
    }
  }

  /** It waited for as long as the successor did not read, and its clients with it. */
  @Test
  void keepsAWindowThatTheSuccessorDoesNotRead() throws Exception {
    int clients = 31;
    fronts.add(FrontServer.start(TestSettings.of(admin(1), List.of(server.url()), "--threads=1")));
    Path path = temporary.resolve("fd");
    Map<String, HttpPeer> peers = new LinkedHashMap<>();
    String body = "b".repeat(60_000);
    try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(admin(1)));
        ServerSocketChannel descriptors = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        DataInputStream in = new DataInputStream(Channels.newInputStream(socket));
        OutputStream out = Channels.newOutputStream(socket)) {
      for (int i = 0; i < clients; i++) {
        String target = "/rns/hold/" + i + "?window";
        peers.put(target, new HttpPeer(fronts.getLast().port())
            .send("POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body));
      }
      Waiting.until(() -> server.reached.size() == clients);
      descriptors.bind(UnixDomainSocketAddress.of(path));
      out.write((TAKE_OVER + path + "\n").getBytes(StandardCharsets.UTF_8));
      assertThat(in.readLong()).isEqualTo(ProcessHandle.current().pid());
      assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.LISTENER);
      // It takes windows of 1, 2, 4 and 8 connections; the next one is more than a socket holds.
      for (int i = 0; i < 4; i++) {
        out.write(HandoverStep.RECEIVED.code());
        assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.COMMIT);
        assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.WINDOW);
        int size = in.readInt();
        for (int j = 0; j < size; j++) {
          peers.remove(Objects.requireNonNull(ConnectionState.read(in).request()).head().target()).close();
        }
      }
      out.write(HandoverStep.RECEIVED.code());
      assertThat(peers).hasSize(clients - 15);
      server.gate("window").countDown();
      for (Map.Entry<String, HttpPeer> peer : peers.entrySet()) {
        assertThat(peer.getValue().body()).isEqualTo("held " + peer.getKey() + " " + body.length());
      }
      try (HttpPeer later = new HttpPeer(fronts.getLast().port())) {
        assertThat(later.send(echo("1", "a")).body()).isEqualTo(echoed("1", "a"));
      }
    } finally {
      for (HttpPeer each : peers.values()) {
        each.close();
      }
    }
  }

  /** The event came when it did not work on the connection any more, and before it had left its loop. */
  @Test
  void readsAServerAgainWhoseClientReadsWhenTheConnectionStays() throws Exception {
    try (HttpPeer peer = new HttpPeer(port)) {
      peer.send("GET /rns/hold?stays HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> !server.reached.isEmpty());
      FrontLoop loop = fronts.getFirst().loops().stream()
          .filter(each -> FrontServer.on(each, () -> !each.movable(1).isEmpty())).findFirst().orElseThrow();
      ClientLink client = FrontServer.on(loop, () -> loop.movable(1).getFirst());
      ChannelOutboundBuffer waiting = Objects.requireNonNull(client.channel().unsafe().outboundBuffer());
      ServerLink link = FrontServer.on(loop, () -> {
        waiting.setUserDefinedWritability(1, false);
        return Objects.requireNonNull(client.movingWith());
      });
      Waiting.until(() -> FrontServer.on(loop, () -> !link.channel().config().isAutoRead()));
      ChannelFuture frozen = FrontServer.on(loop, () -> {
        waiting.setUserDefinedWritability(1, true);
        return client.freeze();
      });
      frozen.sync();
      loop.executor().execute(client::thaw);
      server.gate("stays").countDown();
      assertThat(peer.body()).isEqualTo("held /rns/hold?stays 0");
    }
  }

  /** Its place was counted as free twice. */
  @Test
  void aServerConnectionThatNoClientTakesOverLeavesNoPlace() throws Exception {
    fronts.add(
        FrontServer.start(
            TestSettings.of(admin(1), List.of(server.url()), "--threads=1", "--server-connections=1")));
    FrontServer front = fronts.getLast();
    FrontLoop loop = front.loops().getFirst();
    Channel channel =
        new Bootstrap().group(loop.executor()).channel(EpollSocketChannel.class)
            .handler(new ServerLink(loop, front.directory().at(server.url().toString())))
            .connect(InetAddress.getLoopbackAddress(), server.port()).sync().channel();
    channel.close().sync();
    try (HttpPeer held = new HttpPeer(front.port());
        HttpPeer waiting =
            new HttpPeer(
                new java.net.Socket(InetAddress.getLoopbackAddress(), front.port(), InetAddress.getByName("127.0.0.2"),
                    0));
        HttpPeer direct = new HttpPeer(server.port())) {
      held.send("GET /rns/hold?place HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> server.reached.size() == 1);
      waiting.send(echo("waits", "w"));
      Waiting.until(() -> front.health().get("requests").equals(2L));
      assertThat(direct.send(echo("direct", "d")).body()).isEqualTo(echoed("direct", "d"));
      assertThat(server.reached).doesNotContain("POST /rns/echo/waits");
      server.gate("place").countDown();
      assertThat(waiting.body()).isEqualTo(echoed("waits", "w"));
    }
  }

  @Test
  void servesAsBeforeIfTheSuccessorEndsAtTheLastStep() throws Exception {
    try (HttpPeer lingering = new HttpPeer(port);
        SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(admin(0)));
        ServerSocketChannel descriptors = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        DataInputStream in = new DataInputStream(Channels.newInputStream(socket));
        OutputStream out = Channels.newOutputStream(socket)) {
      // It does not move: the front waits for its end.
      assertThat(lingering.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").head()).startsWith("HTTP/1.1 404 ");
      Path path = temporary.resolve("fd" + sockets++);
      descriptors.bind(UnixDomainSocketAddress.of(path));
      out.write((TAKE_OVER + path + "\n").getBytes(StandardCharsets.UTF_8));
      assertThat(in.readLong()).isEqualTo(ProcessHandle.current().pid());
      assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.LISTENER);
      out.write(HandoverStep.RECEIVED.code());
      assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.COMMIT);
      assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.DONE);
    }
    Waiting.until(() -> {
      try (HttpPeer peer = new HttpPeer(port)) {
        return !peer.send(echo("1", "a")).response().contains("Connection: close");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  /**
   * A predecessor that hands over its listening socket, then one connection, and ends before the last step.
   *
   * @param pid what it says it is
   * @param reads whether it waits for the answer; else its end resets the connection
   * @param last the step it ends with; empty to end without one
   */
  private FrontServer after(long pid, boolean reads, Optional<HandoverStep> last, EpollServerSocketChannel listening)
      throws Exception {
    Path path = temporary.resolve("fake" + sockets++);
    try (ServerSocketChannel control = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      control.bind(UnixDomainSocketAddress.of(path));
      Future<?> predecessor = threads.submit(() -> {
        try (SocketChannel caller = control.accept();
            DataInputStream in = new DataInputStream(Channels.newInputStream(caller));
            DataOutputStream out = new DataOutputStream(Channels.newOutputStream(caller))) {
          StringBuilder line = new StringBuilder();
          String whole = TAKE_OVER + admin(9) + ".fd";
          while (line.length() < whole.length()) {
            line.append((char) in.read());
          }
          Channel descriptors =
              new Bootstrap().group(fronts.getFirst().handovers()).channel(EpollDomainSocketChannel.class)
                  .handler(new ChannelInboundHandlerAdapter())
                  .connect(new DomainSocketAddress(line.substring(TAKE_OVER.length())))
                  .sync().channel();
          out.writeLong(pid);
          out.writeByte(HandoverStep.LISTENER.code());
          descriptors.writeAndFlush(new FileDescriptor(listening.fd().intValue())).sync();
          if (reads) {
            assertThat(in.read()).isEqualTo('\n');
            assertThat(HandoverStep.read(in)).isEqualTo(HandoverStep.RECEIVED);
          }
          if (last.isPresent()) {
            out.writeByte(last.get().code());
          }
          descriptors.close().sync();
          return true;
        }
      });
      try {
        return FrontServer.takeOver(settings(9), path);
      } finally {
        predecessor.get();
      }
    }
  }

  private EpollServerSocketChannel listening() throws Exception {
    EpollServerSocketChannel listening = new EpollServerSocketChannel();
    listening.config().setAutoRead(false);
    fronts.getFirst().loops().getFirst().executor().register(listening).sync();
    listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync();
    return listening;
  }

  @Test
  void ownsTheListenerOfAPredecessorThatWasKilledOrGaveItAway() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    for (Optional<HandoverStep> last : List.of(Optional.<HandoverStep>empty(), Optional.of(HandoverStep.COMMIT))) {
      EpollServerSocketChannel listening = listening();
      try (FrontServer successor = after(ended.pid(), true, last, listening);
          HttpPeer peer = new HttpPeer(listening.localAddress().getPort())) {
        assertThat(successor.port()).isEqualTo(listening.localAddress().getPort());
        assertThat(peer.send(echo("1", "a")).body()).isEqualTo(echoed("1", "a"));
      } finally {
        listening.close().sync();
      }
    }
  }

  @Test
  void ownsTheListenerOfAPredecessorThatWasKilledBeforeItReadTheConfirmation() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    EpollServerSocketChannel listening = listening();
    try (FrontServer successor = after(ended.pid(), false, Optional.empty(), listening);
        HttpPeer peer = new HttpPeer(listening.localAddress().getPort())) {
      assertThat(successor.port()).isEqualTo(listening.localAddress().getPort());
      assertThat(peer.send(echo("1", "a")).body()).isEqualTo(echoed("1", "a"));
    } finally {
      listening.close().sync();
    }
  }

  @Test
  void leavesTheListenerToAPredecessorThatKeepsIt() throws Exception {
    for (Optional<HandoverStep> last : List.of(Optional.<HandoverStep>empty(), Optional.of(HandoverStep.ABORT))) {
      EpollServerSocketChannel listening = listening();
      assertThatThrownBy(() -> after(ProcessHandle.current().pid(), true, last, listening))
          .hasMessageContaining("keeps its listening socket");
      listening.close().sync();
    }
  }

  /** Else a client could wait for as long as fronts are replaced. */
  @Test
  void requestsKeepTheirDeadlines() throws Exception {
    try (HttpPeer half = new HttpPeer(port); HttpPeer held = new HttpPeer(port)) {
      half.send("POST /rns/echo/1 HTTP/1.1\r\nHo");
      held.send("GET /rns/hold?d HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> !server.reached.isEmpty());
      long begun = System.nanoTime();
      for (int i = 0; i < 5; i++) {
        migrate();
      }
      // What passes between the state of a connection and its going on does not count: a small part of a migration.
      long late = System.nanoTime() - (System.nanoTime() - begun) / 4;
      sweep(late + TimeUnit.SECONDS.toNanos(30));
      assertThat(half.response()).startsWith("HTTP/1.1 408 ");
      sweep(late + TimeUnit.SECONDS.toNanos(75));
      assertThat(held.response()).startsWith("HTTP/1.1 503 ").contains("the server did not answer in time");
      server.gate("d").countDown();
    }
  }

  @Test
  void aRequestThatWaitsForAServerKeepsItsDeadline() throws Exception {
    EpollServerSocketChannel listening = listening();
    fronts.add(
        FrontServer.start(
            TestSettings.of(admin(1), List.of(server.url()), "--threads=1", "--server-connections=1")));
    try (HttpPeer held = new HttpPeer(fronts.getLast().port());
        HttpPeer waiting = new HttpPeer(listening.localAddress().getPort())) {
      held.send("GET /rns/hold?w HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.until(() -> !server.reached.isEmpty());
      adopt(listening,
          new ConnectionState(19_000, true, false, false, false, new byte[0], bytes(echo("2", "b")), null));
      Waiting.until(() -> fronts.getLast().health().get("requests").equals(2L));
      waiting.socket().setSoTimeout(10_000);
      sweep(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
      assertThat(waiting.response()).startsWith("HTTP/1.1 503 ").contains("no connection to a server became free");
      server.gate("w").countDown();
    } finally {
      listening.close().sync();
    }
  }

  /** Its socket does not say so after a move to another machine. */
  @Test
  void aClientThatHasEndedItsSideGetsTheEnd() throws Exception {
    EpollServerSocketChannel listening = listening();
    try (HttpPeer peer = new HttpPeer(listening.localAddress().getPort())) {
      adopt(listening, new ConnectionState(0, false, false, false, true, new byte[0], bytes(echo("2", "b")), null));
      assertThat(peer.response()).startsWith("HTTP/1.1 200 ").contains("Connection: close");
      assertThat(peer.rest()).isEmpty();
    } finally {
      listening.close().sync();
    }
  }

  private void sweep(long now) {
    fronts.getLast().loops().forEach(loop -> loop.executor().execute(() -> loop.sweep(now)));
  }

  /** Its server has reset the connection while the front moved: only the successor can have it answered. */
  @ParameterizedTest
  @CsvSource({"GET, X: 1, 200", "PUT, RNS-Request-Id: 1, 200", "PUT, X: 1, 503"})
  void answersARequestWhoseServerConnectionIsLost(String method, String field, int status) throws Exception {
    String lines = method + " /rns/echo/1 HTTP/1.1\r\nHost: a\r\n" + field + "\r\n";
    PendingRequest request =
        new PendingRequest(bytes(lines), new BodyFraming.Empty(), bytes(lines + "\r\n"), null, 0, null);
    EpollServerSocketChannel listening = listening();
    try (HttpPeer peer = new HttpPeer(listening.localAddress().getPort())) {
      adopt(listening, new ConnectionState(0, false, false, false, false, new byte[0], bytes(echo("2", "b")), request));
      String response = peer.response();
      assertThat(response).startsWith("HTTP/1.1 " + status);
      assertThat(response).contains(status == 200 ? method + " /rns/echo/1" : "a change may or may not have been made");
      assertThat(peer.body()).isEqualTo(echoed("2", "b"));
    } finally {
      listening.close().sync();
    }
  }

  /** The last front continues the next connection of a listening socket. */
  private void adopt(EpollServerSocketChannel listening, ConnectionState state) throws IOException {
    FrontServer front = fronts.getLast();
    FrontLoop loop = front.loops().getFirst();
    FileDescriptor client = new FileDescriptor(((Socket) listening.fd()).accept(new byte[64]));
    loop.executor().execute(() -> HandoverReceiver.adopt(front.directory(), loop,
        new HandoverReceiver.Received(state, List.of(client), false, false)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** It would read connections as what they are not. */
  @Test
  void handsNothingOverToAnotherVersion() throws Exception {
    try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(admin(0)));
        DataInputStream in = new DataInputStream(Channels.newInputStream(socket))) {
      Channels.newOutputStream(socket).write("takeover 0 /nowhere\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(in.readLong()).isEqualTo(HandoverSender.REFUSED);
      assertThat(in.readUTF()).isEqualTo("it has another version");
    }
    assertThat(other("1")).isEqualTo(echoed("1", "y"));
    migrate();
    assertThat(other("2")).isEqualTo(echoed("2", "y"));
  }

  @Test
  void refusesToTakeOverFromNothing() {
    assertThatThrownBy(() -> FrontServer.takeOver(settings(1), temporary.resolve("nothing")))
        .isInstanceOf(IOException.class);
  }
}
