package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.issuer.TestKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTPS of clients, and to servers. */
@Timeout(60)
class FrontTlsTest {
  @TempDir private static Path keys;
  private static TestKey key;
  private static TestKey other;

  @TempDir private Path temporary;
  private final List<AutoCloseable> open = new ArrayList<>();
  private FrontSettings.Certificate files;

  @BeforeAll
  static void make() throws Exception {
    key = TestKey.make(keys, "EC", 256);
    other = TestKey.make(keys, "EC", 256);
  }

  @BeforeEach
  void write() throws Exception {
    key.write(temporary);
    files = new FrontSettings.Certificate(temporary.resolve("chain.pem"), temporary.resolve("key.pem"));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private EchoServer server(boolean secured) throws Exception {
    EchoServer server = secured ? EchoServer.secured(key.server()) : new EchoServer();
    open.add(server);
    return server;
  }

  private FrontSettings settings(EchoServer server, int number) {
    return settings(server, number, 30);
  }

  private FrontSettings settings(EchoServer server, int number, int requestSeconds) {
    return TestSettings.of(
        temporary.resolve("admin." + number), List.of(server.url()), "--tls-cert=" + files.chain(),
        "--tls-key=" + files.key(), "--ca=" + files.chain(), "--request-timeout=" + requestSeconds);
  }

  private FrontServer front(EchoServer server) throws IOException {
    FrontServer front = FrontServer.start(settings(server, 0));
    open.add(front);
    return front;
  }

  private HttpPeer peer(FrontServer front) throws Exception {
    return new HttpPeer(socket(key, front));
  }

  private static SSLSocket socket(TestKey trusted, FrontServer front) throws Exception {
    SSLSocket socket =
        (SSLSocket) trusted.client().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), front.port());
    socket.startHandshake();
    return socket;
  }

  private static String echo(String name, String body) {
    return "POST /rns/echo/" + name + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static String echoed(String name, String body) {
    return "POST /rns/echo/" + name + "\n[]\n" + body + "\n";
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void passesRequestsAndResponsesOn(boolean secured) throws Exception {
    EchoServer server = server(secured);
    FrontServer front = front(server);
    String large = "0123456789".repeat(100_000);
    try (HttpPeer peer = peer(front)) {
      for (String body : List.of("", "hello", large)) {
        assertThat(peer.send(echo("1", body)).body()).isEqualTo(echoed("1", body));
      }
      peer.send(echo("2", "a") + echo("3", "b"));
      assertThat(peer.body() + peer.body()).isEqualTo(echoed("2", "a") + echoed("3", "b"));
      assertThat(peer.send("GET /rns/large?4096000 HTTP/1.1\r\nHost: a\r\n\r\n").body()).hasSize(4_096_000);
      peer.send("GET /rns/watch HTTP/1.1\r\nHost: a\r\n\r\n");
      server.events.add("1");
      assertThat(peer.head()).contains("text/event-stream");
      assertThat(peer.event()).isEqualTo("data: 1");
      server.events.add("end");
    }
    try (HttpPeer last = peer(front)) {
      String answer = last.send("GET /rns/echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").rest();
      assertThat(answer).as("until the end, which TLS has told").endsWith("GET /rns/echo\n[]\n\n");
    }
    assertThat(front.health().get("url").toString()).startsWith("https://");
    Waiting.until(() -> front.clients() == 0);
  }

  @Test
  void answersAClientThatHasEndedItsSide() throws Exception {
    EchoServer server = server(true);
    try (HttpPeer peer = peer(front(server))) {
      peer.send("GET /rns/hold?half HTTP/1.1\r\nHost: a\r\n\r\n");
      peer.socket().shutdownOutput();
      Waiting.until(() -> !server.reached.isEmpty());
      server.gate("half").countDown();
      assertThat(peer.rest()).endsWith("held /rns/hold?half 0");
    }
  }

  @Test
  void refusesPlainHttpAndOldProtocols() throws Exception {
    FrontServer front = front(server(false));
    try (HttpPeer plain = new HttpPeer(front.port())) {
      assertThat(plain.send("GET /rns/echo HTTP/1.1\r\nHost: a\r\n\r\n").rest()).startsWith("HTTP/1.1 426 ")
          .contains("Connection: Upgrade, close", "use https://");
    }
    try (HttpPeer other = new HttpPeer(front.port())) {
      assertThat(other.send("\0\0\0\0\0\0\0\0").rest()).isEmpty();
    }
    try (SSLSocket old =
        (SSLSocket) key.client().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), front.port())) {
      old.setEnabledProtocols(new String[]{"TLSv1.2"});
      old.setEnabledCipherSuites(new String[]{"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"});
      assertThatThrownBy(old::startHandshake).isInstanceOf(SSLException.class);
    }
    try (HttpPeer peer = peer(front)) {
      assertThat(peer.send(echo("1", "x")).body()).isEqualTo(echoed("1", "x"));
    }
  }

  /** Whatever a client has sent of its first record, it does not keep its place. */
  @Test
  void closesConnectionsThatDoNotBeginAHandshake() throws Exception {
    FrontServer front = FrontServer.start(settings(server(false), 0, 1));
    open.add(front);
    try (HttpPeer silent = new HttpPeer(front.port()); HttpPeer begun = new HttpPeer(front.port())) {
      begun.send("\u0016\u0003\u0001\u0002");
      assertThat(silent.rest()).isEmpty();
      assertThat(begun.rest()).isEmpty();
      Waiting.until(() -> front.clients() == 0);
    }
  }

  @Test
  void aServerWithAnotherCertificateIsNotCalled() throws Exception {
    EchoServer server = EchoServer.secured(other.server());
    open.add(server);
    try (HttpPeer peer = peer(front(server))) {
      assertThat(peer.send("GET /rns/echo HTTP/1.1\r\nHost: a\r\n\r\n").response()).startsWith("HTTP/1.1 503 ");
    }
    assertThat(server.reached).isEmpty();
  }

  @Test
  void connectionsAreAnsweredAndClosedAtAMigration() throws Exception {
    EchoServer server = server(false);
    FrontServer old = front(server);
    try (HttpPeer idle = peer(old); HttpPeer held = peer(old); HttpPeer watch = peer(old)) {
      assertThat(idle.send(echo("1", "a")).body()).isEqualTo(echoed("1", "a"));
      held.send("GET /rns/hold?m HTTP/1.1\r\nHost: a\r\n\r\n");
      watch.send("GET /rns/watch HTTP/1.1\r\nHost: a\r\n\r\n");
      server.events.add("1");
      assertThat(watch.head()).contains("text/event-stream");
      assertThat(watch.event()).isEqualTo("data: 1");
      Waiting.until(() -> server.reached.contains("GET /rns/hold?m"));
      Thread migration = Thread.ofVirtual().start(() -> {
        try {
          open.add(FrontServer.takeOver(settings(server, 1), temporary.resolve("admin.0")));
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      assertThat(idle.rest()).isEmpty();
      assertThat(watch.rest()).isEmpty();
      try (HttpPeer later = peer(old)) {
        assertThat(later.send(echo("2", "b")).body()).as("the successor serves").isEqualTo(echoed("2", "b"));
      }
      assertThat(migration.isAlive()).isTrue();
      server.gate("m").countDown();
      assertThat(held.rest()).contains("Connection: close").endsWith("held /rns/hold?m 0");
      migration.join();
      old.awaitEnd();
      assertThat(old.clients()).isZero();
      server.events.add("end");
    }
  }

  private static SSLSocket socket(FrontServer front, String... protocols) throws Exception {
    SSLSocket socket =
        (SSLSocket) key.client().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), front.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(protocols);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  @Test
  void clientsChooseTheVersionOfHttp() throws Exception {
    EchoServer server = server(true);
    FrontServer front = front(server);
    for (String protocols : List.of("http/1.1", "http/1.1,other", "other")) {
      SSLSocket socket = socket(front, protocols.split(",", -1));
      try (HttpPeer peer = new HttpPeer(socket)) {
        assertThat(socket.getApplicationProtocol()).isEqualTo(protocols.equals("other") ? "" : "http/1.1");
        assertThat(peer.send(echo("1", "x")).body()).isEqualTo(echoed("1", "x"));
        assertThat(peer.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").rest()).startsWith("HTTP/1.1 400 ");
      }
    }
    SSLSocket newer = socket(front, "http/1.1", "h2");
    try (Http2Peer peer = new Http2Peer(newer, new byte[0])) {
      assertThat(newer.getApplicationProtocol()).isEqualTo("h2");
      assertThat(peer.post(1, "/rns/echo/1", "x").await(1).body()).isEqualTo(echoed("1", "x"));
    }
    try (HttpClient client = HttpClient.newBuilder().sslContext(key.client()).build()) {
      String large = "0123456789".repeat(100_000);
      HttpRequest request =
          HttpRequest.newBuilder(uri(front, "/rns/echo/1")).POST(BodyPublishers.ofString(large)).build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(response.body()).isEqualTo(echoed("1", large));
      HttpRequest head = HttpRequest.newBuilder(uri(front, "/rns/none")).HEAD().build();
      assertThat(client.send(head, BodyHandlers.ofString()).statusCode()).isEqualTo(404);
    }
    Waiting.until(() -> front.clients() == 0);
  }

  private static URI uri(FrontServer front, String path) {
    return URI.create("https://127.0.0.1:" + front.port() + path);
  }

  @Test
  @Tag("slow")
  void noRequestOfHttp2IsLostAtMigrations() throws Exception {
    EchoServer server = server(false);
    FrontServer first = front(server);
    AtomicBoolean ending = new AtomicBoolean();
    LongAdder answered = new LongAdder();
    Queue<String> lost = new ConcurrentLinkedQueue<>();
    try (HttpClient client = HttpClient.newBuilder().sslContext(key.client()).build()) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String name = Integer.toString(i);
        HttpRequest request =
            HttpRequest.newBuilder(uri(first, "/rns/echo/" + name)).POST(BodyPublishers.ofString("x" + name)).build();
        threads.add(Thread.ofVirtual().start(() -> {
          while (!ending.get()) {
            try {
              String body = client.send(request, BodyHandlers.ofString()).body();
              if (!body.equals(echoed(name, "x" + name))) {
                lost.add(body);
              }
              answered.increment();
            } catch (IOException | InterruptedException e) {
              lost.add(e.toString());
            }
          }
        }));
      }
      for (int i = 1; i <= 3; i++) {
        long before = answered.sum();
        Waiting.until(() -> answered.sum() > before + 100);
        FrontServer former = (FrontServer) open.getLast();
        open.add(FrontServer.takeOver(settings(server, i), temporary.resolve("admin." + (i - 1))));
        former.awaitEnd();
        assertThat(former.clients()).isZero();
      }
      ending.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(lost).isEmpty();
    assertThat(server.handled.sum()).as("each once").isEqualTo(answered.sum());
  }

  @Test
  void aNewCertificateIsPresentedToNewConnections() throws Exception {
    FrontServer front = front(server(false));
    Files.writeString(files.chain(), "half");
    front.tls().look();
    try (SSLSocket still = socket(key, front)) {
      assertThat(still.getSession().getPeerCertificates()).containsExactly(key.certificate());
    }
    other.write(temporary);
    front.tls().look();
    try (SSLSocket renewed = socket(other, front)) {
      assertThat(renewed.getSession().getPeerCertificates()).containsExactly(other.certificate());
    }
  }

  @Test
  void doesNotStartWithoutUsableFiles() {
    FrontSettings.Certificate wrong = new FrontSettings.Certificate(files.key(), files.key());
    assertThatThrownBy(() -> new FrontTls(wrong, Duration.ofSeconds(1), false)).isInstanceOf(IOException.class)
        .hasMessageContaining("key.pem");
  }
}
