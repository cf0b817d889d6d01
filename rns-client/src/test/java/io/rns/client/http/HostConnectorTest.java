package io.rns.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.rns.api.CallContext;
import io.rns.client.call.Deadline;
import io.rns.client.call.Ticker;
import io.rns.xml.XmlBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host of several addresses, some of which take no connection: a listener whose backlog is full drops the rest. */
// A thread of its own: one that waits for a socket is not to be interrupted.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostConnectorTest {
  private static final String DEAD = "127.0.0.2";
  private static final String LIVE = "127.0.0.3";

  /** So long that a test ends by its timeout where a dead address uses all of it. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final Duration SHORT = Duration.ofSeconds(2);

  private final DeadlineWatch watch = new DeadlineWatch(Ticker.SYSTEM);
  private final List<AutoCloseable> open = new ArrayList<>(List.of(watch));

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private ServerSocket listen(String address, int port, int backlog) throws IOException {
    ServerSocket server = new ServerSocket(port, backlog, InetAddress.getByName(address));
    open.add(server);
    return server;
  }

  /** Connections to a listener that accepts none and has room for two. */
  private void fill(ServerSocket server) throws IOException {
    for (int i = 0; i < 8; i++) {
      SocketChannel waiting = SocketChannel.open();
      open.add(waiting);
      waiting.configureBlocking(false);
      boolean unused = waiting.connect(server.getLocalSocketAddress());
    }
    try (Socket further = new Socket()) {
      assertThatThrownBy(() -> further.connect(server.getLocalSocketAddress(), 100))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  private static HostLookup.Resolver to(String... addresses) {
    return host -> Arrays.stream(addresses).map(HostConnectorTest::literal).toArray(InetAddress[]::new);
  }

  private static InetAddress literal(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HostConnector connector(int port, HostLookup.Resolver resolver) {
    return new HostConnector(URI.create("http://several.example:" + port + "/"), resolver, watch, Socket::new,
        TlsTrust.SYSTEM);
  }

  private static Deadline in(Duration time) {
    return Deadline.in(time, Ticker.SYSTEM);
  }

  private static String address(HostConnector.Connected connected) throws IOException {
    try (Socket socket = connected.socket().getSocket()) {
      connected.guard().close();
      return socket.getInetAddress().getHostAddress();
    }
  }

  @Test
  void aDeadFirstAddressDoesNotTakeAllOfTheTime() throws IOException {
    ServerSocket live = listen(LIVE, 0, 50);
    ServerSocket dead = listen(DEAD, live.getLocalPort(), 1);
    fill(dead);
    HostConnector connector = connector(live.getLocalPort(), to(DEAD, LIVE));
    assertThat(address(connector.connect(in(LONG)))).isEqualTo(LIVE);
    // From here on both accept connections; the one that did before comes first.
    while (!accepts(dead)) {
      dead.accept().close();
    }
    assertThat(address(connector.connect(in(LONG)))).isEqualTo(LIVE);
  }

  private static boolean accepts(ServerSocket server) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(server.getLocalSocketAddress(), 100);
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void aRequestReachesAHostWhoseFirstAddressIsDead() throws IOException {
    HttpServer live = HttpServer.create(new InetSocketAddress(LIVE, 0), 0);
    live.createContext("/", exchange -> {
      byte[] answer = "<a/>".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/xml");
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    live.start();
    open.add(() -> live.stop(0));
    int port = live.getAddress().getPort();
    fill(listen(DEAD, port, 1));
    try (HttpEndpoint endpoint =
        new HttpEndpoint(URI.create("http://several.example:" + port + "/"), LONG, Duration.ZERO, 1, Ticker.SYSTEM,
            bytes -> {}, TlsTrust.SYSTEM, to(DEAD, LIVE))) {
      assertThat(endpoint.post(CallContext.ANONYMOUS, new XmlBuffer(16).raw("<q/>"), in(LONG), HostConnectorTest::text))
          .isEqualTo("<a/>");
    }
  }

  private static String text(InputStream body) {
    try {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void addressesThatRefuseAreSkippedAtOnce() throws IOException {
    ServerSocket live = listen(LIVE, 0, 50);
    String[] many = IntStream.range(0, 60).mapToObj(i -> i == 59 ? LIVE : "127.0.1." + i).toArray(String[]::new);
    assertThat(address(connector(live.getLocalPort(), to(many)).connect(in(LONG)))).isEqualTo(LIVE);
  }

  @Test
  void whereNoAddressAnswersTheErrorNamesAll() throws IOException {
    ServerSocket dead = listen(DEAD, 0, 1);
    fill(dead);
    HostConnector connector = connector(dead.getLocalPort(), to(LIVE, DEAD));
    assertThatThrownBy(() -> connector.connect(in(SHORT)))
        .hasMessageContaining("refused")
        .hasMessageContaining(DEAD + " has not taken the connection in time");
  }

  /** The resolver of the system cannot be interrupted; those who wait for it share one lookup. */
  @Test
  void aResolverThatHangsEndsWithTheDeadline() throws Exception {
    ServerSocket live = listen(LIVE, 0, 50);
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger lookups = new AtomicInteger();
    HostConnector connector =
        connector(
            live.getLocalPort(), host -> {
              lookups.incrementAndGet();
              try {
                over.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return to(LIVE).resolve(host);
            });
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> connector.connect(in(Duration.ofMillis(50))))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessage("the addresses of host several.example were not found in time");
    }
    CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
      try {
        return address(connector.connect(in(LONG)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    over.countDown();
    assertThat(waiting.get()).isEqualTo(LIVE);
    assertThat(lookups.get()).isBetween(1, 2);
  }

  @Test
  void anUnknownHostIsNamed() {
    HostConnector connector = connector(1, host -> {
      throw new UnknownHostException(host + ": no such name");
    });
    assertThatThrownBy(() -> connector.connect(in(LONG)))
        .isInstanceOf(UnknownHostException.class)
        .hasMessage("several.example: no such name");
  }

  @Test
  void addressesOfBothKindsAlternate() throws IOException {
    HostLookup lookup =
        new HostLookup("several.example", to("192.0.2.1", "192.0.2.2", "2001:db8::1", "192.0.2.3", "2001:db8::2"));
    assertThat(lookup.addresses(in(LONG)))
        .extracting(InetAddress::getHostAddress)
        .containsExactly("192.0.2.1", "2001:db8:0:0:0:0:0:1", "192.0.2.2", "2001:db8:0:0:0:0:0:2", "192.0.2.3");
  }

  /** What has lost the race, or tries on after its end, leaves neither a thread nor a socket behind. */
  @Test
  void attemptsEndWithTheRace() throws Exception {
    ServerSocket live = listen(LIVE, 0, 50);
    fill(listen(DEAD, live.getLocalPort(), 1));
    assertThat(address(connector(live.getLocalPort(), to(DEAD, LIVE)).connect(in(LONG)))).isEqualTo(LIVE);
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("rns-client-connector")) {
        thread.join();
      }
    }
  }
}
