package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Caller;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import io.rns.identity.CallerPassing;
import io.rns.identity.PassedOn;
import io.rns.identity.RequestPassing;
import io.rns.issuer.TestKey;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers are told who clients are by their certificates, which clients cannot say themselves. */
@Timeout(60)
class FrontCertificateTest {
  private static final String SECRET = "the secret";
  private static final TestAuthority GRID = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA");
  private static final Credential USER = GRID.issue("DC=org", "DC=test", "CN=Alice");
  private static final Caller ALICE = new Caller("x509:/DC=org/DC=test/CN=Alice", Set.of());
  private static final String BODY = "0123456789";

  @TempDir private static Path keys;
  private static TestKey key;

  @TempDir private Path temporary;
  private final Map<EchoServer, CallerPassing> servers = new HashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void make() throws Exception {
    key = TestKey.make(keys, "EC", 256);
    key.write(keys);
  }

  @BeforeEach
  void install() throws IOException {
    GRID.install(Files.createDirectory(temporary.resolve("trust")));
    Files.writeString(temporary.resolve("secret"), SECRET + "\n");
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private EchoServer server() throws IOException {
    EchoServer server = new EchoServer();
    open.add(server);
    servers.put(server, new CallerPassing(SECRET, "a server", InstantSource.system()));
    return server;
  }

  private FrontSettings settings(int number, EchoServer... behind) {
    return settings(number, "trust", behind);
  }

  private FrontSettings settings(int number, String trusted, EchoServer... behind) {
    return TestSettings.of(
        temporary.resolve("admin." + number), List.of(behind).stream().map(EchoServer::url).toList(),
        "--tls-cert=" + keys.resolve("chain.pem"), "--tls-key=" + keys.resolve("key.pem"),
        "--secret-file=" + temporary.resolve("secret"), "--x509-trust=" + temporary.resolve(trusted));
  }

  private FrontServer front(EchoServer... behind) throws IOException {
    FrontServer front = FrontServer.start(settings(0, behind));
    open.add(front);
    return front;
  }

  /** What connections of one client share. */
  private static SSLContext client(Credential... credential) throws Exception {
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    for (Credential each : credential) {
      own.setKeyEntry("client", each.key(), new char[0], each.chain().toArray(Certificate[]::new));
    }
    KeyManagerFactory presented = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    presented.init(own, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(presented.getKeyManagers(), new TrustManager[]{key.trust()}, null);
    return context;
  }

  private static SSLSocket socket(SSLContext client, FrontServer front, String... protocol) throws IOException {
    SSLSocket socket =
        (SSLSocket) client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), front.port());
    if (protocol.length > 0) {
      socket.setEnabledProtocols(protocol);
    }
    socket.startHandshake();
    return socket;
  }

  private static HttpPeer peer(FrontServer front, Credential... credential) throws Exception {
    return new HttpPeer(socket(client(credential), front));
  }

  private static String post(String target, String... headers) {
    return "POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY.length() + "\r\n"
        + List.of(headers).stream().map(header -> header + "\r\n").reduce("", String::concat) + "\r\n" + BODY;
  }

  /** The header that a server has got with its last request. */
  private static String header(EchoServer server) throws InterruptedException {
    List<String> headers = server.callers.take();
    assertThat(headers).hasSize(1);
    return headers.getFirst();
  }

  private PassedOn take(EchoServer server, String header, String method, String target) {
    return servers.get(server).take(
        header, RequestPassing.line(method, target), ("127.0.0.1:" + server.port())::equals);
  }

  /** What a server finds about the last request. */
  private PassedOn taken(EchoServer server, String method, String target) throws InterruptedException {
    return take(server, header(server), method, target);
  }

  private Caller caller(EchoServer server, String method, String target) throws InterruptedException {
    return ((PassedOn.Known) taken(server, method, target)).caller();
  }

  private void refused(EchoServer server, String header, String method, String target) {
    assertThatThrownBy(() -> take(server, header, method, target)).isInstanceOfSatisfying(
        RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_AUTHENTICATED));
  }

  @Test
  void eachRequestOfAConnectionHasTheCaller() throws Exception {
    EchoServer server = server();
    FrontServer front = front(server);
    for (Credential each : List.of(USER, TestAuthority.proxy(TestAuthority.proxy(USER)))) {
      try (HttpPeer peer = peer(front, each)) {
        assertThat(peer.send(post("/rns/echo/a?b=%20c")).body()).contains(BODY);
        PassedOn.Known first = (PassedOn.Known) taken(server, "POST", "/rns/echo/a?b=%20c");
        assertThat(first.caller()).isEqualTo(ALICE);
        assertThat(first.server()).isEqualTo("front");
        byte[] body = BODY.getBytes(StandardCharsets.US_ASCII);
        CallerPassing.checkBody(first, body, body.length);
        assertThatThrownBy(() -> CallerPassing.checkBody(first, body, body.length - 1))
            .isInstanceOf(RnsException.class);
        peer.send("GET /rns/names? HTTP/1.1\r\nHost: a\r\n\r\nHEAD /rns/echo/2 HTTP/1.0\r\n\r\n");
        assertThat(peer.body()).startsWith("GET /rns/names?");
        assertThat(caller(server, "GET", "/rns/names")).isEqualTo(ALICE);
        assertThat(caller(server, "HEAD", "/rns/echo/2")).isEqualTo(ALICE);
      }
    }
  }

  @Test
  void eachRequestOfAnHttp2ConnectionHasTheCaller() throws Exception {
    EchoServer server = server();
    SSLSocket socket =
        (SSLSocket) client(USER).getSocketFactory().createSocket(InetAddress.getLoopbackAddress(),
            front(server).port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[]{"h2"});
    socket.setSSLParameters(parameters);
    try (Http2Peer peer = new Http2Peer(socket, new byte[0])) {
      for (int stream = 1; stream < 9; stream += 2) {
        assertThat(peer.post(stream, "/rns/echo/a", BODY).await(stream).body()).contains(BODY);
        assertThat(caller(server, "POST", "/rns/echo/a")).isEqualTo(ALICE);
      }
    }
  }

  @Test
  void aHeaderIsGoodForOneRequestAtOneServer() throws Exception {
    EchoServer server = server();
    try (HttpPeer peer = peer(front(server), USER)) {
      assertThat(peer.send("GET /rns/echo/a HTTP/1.1\r\nHost: a\r\n\r\n").response()).startsWith("HTTP/1.1 200 ");
      String header = header(server);
      refused(server, header, "GET", "/rns/echo/b");
      refused(server, header, "DELETE", "/rns/echo/a");
      EchoServer other = server();
      refused(other, header, "GET", "/rns/echo/a");
      CallerPassing passing = servers.get(server);
      assertThatThrownBy(() -> passing.take(header, ("127.0.0.1:" + server.port())::equals))
          .as("as a message between servers").isInstanceOf(RnsException.class);
      assertThat(take(server, header, "GET", "/rns/echo/a")).isInstanceOf(PassedOn.Known.class);
      refused(server, header, "GET", "/rns/echo/a");
    }
  }

  @Test
  void aLimitedProxyHasItsLimit() throws Exception {
    EchoServer server = server();
    try (HttpPeer peer = peer(front(server), TestAuthority.proxy(USER, new Wish().policy(TestAuthority.LIMITED)))) {
      assertThat(peer.send(post("/rns/echo")).response()).startsWith("HTTP/1.1 200 ");
      Caller caller = caller(server, "POST", "/rns/echo");
      assertThat(caller.name()).isEqualTo(ALICE.name());
      assertThat(caller.limits()).hasSize(1);
    }
  }

  @Test
  void withoutACertificateNothingIsSaid() throws Exception {
    EchoServer server = server();
    try (HttpPeer peer = peer(front(server))) {
      assertThat(peer.send(post("/rns/echo")).response()).startsWith("HTTP/1.1 200 ");
      assertThat(server.callers.take()).isEmpty();
    }
  }

  @Test
  void aServerIsToldWhyACertificateIsRefused() throws Exception {
    EchoServer server = server();
    FrontServer front = front(server);
    Credential stranger =
        TestAuthority.make("DC=org", "DC=test", "CN=Grid CA").issue("DC=org", "DC=test", "CN=Alice");
    Credential expired = GRID.issue(new Wish().until(Instant.now().minusSeconds(1)), "CN=Alice");
    Map<Credential, String> wrong =
        Map.of(stranger, "the certificate", expired, "expired at",
            TestAuthority.proxy(USER, new Wish().policy("1.2.3")),
            "has a policy");
    for (Map.Entry<Credential, String> each : wrong.entrySet()) {
      try (HttpPeer peer = peer(front, each.getKey())) {
        for (int i = 0; i < 2; i++) {
          assertThat(peer.send(post("/rns/echo")).response()).startsWith("HTTP/1.1 200 ");
          assertThat(taken(server, "POST", "/rns/echo")).isInstanceOfSatisfying(
              PassedOn.Refused.class, refused -> assertThat(refused.reason()).contains(each.getValue()));
        }
      }
    }
  }

  @Test
  void aHeaderComesFirst() throws Exception {
    EchoServer server = server();
    FrontServer front = front(server);
    for (Credential each : List.of(USER, TestAuthority.make("CN=x").issue("CN=any browser's"))) {
      try (HttpPeer peer = peer(front, each)) {
        for (String header : List.of("Authorization: Bearer x", "authorization:")) {
          assertThat(peer.send(post("/rns/echo", header)).response()).startsWith("HTTP/1.1 200 ");
          assertThat(server.callers.take()).isEmpty();
        }
      }
    }
  }

  @Test
  void aClientCannotSayItself() throws Exception {
    EchoServer server = server();
    FrontServer front = front(server);
    String forged =
        new RequestPassing("another secret", "front", InstantSource.system())
            .header(RequestPassing.named(ALICE), server.url(), "POST /rns/echo", RequestPassing.UNSIGNED).value();
    for (Credential[] each : List.of(new Credential[0], new Credential[]{USER})) {
      try (HttpPeer peer = peer(front, each)) {
        for (String header : List.of(forged, "x", "2 ")) {
          String[] headers = {"RNS-On-Behalf-Of: " + header, "Connection: RNS-On-Behalf-Of"};
          assertThat(peer.send(post("/rns/echo", headers)).response()).startsWith("HTTP/1.1 200 ");
          refused(server, header(server), "POST", "/rns/echo");
        }
        String twice = "RNS-On-Behalf-Of: " + forged;
        assertThat(peer.send(post("/rns/echo", twice, twice)).response()).startsWith("HTTP/1.1 200 ");
        assertThat(server.callers.take()).as("which a server refuses").hasSize(2);
      }
    }
  }

  @Test
  void bodiesThatAreNotHeldAreNotSigned() throws Exception {
    EchoServer server = server();
    String large = BODY.repeat(100_000);
    try (HttpPeer peer = peer(front(server), USER)) {
      String head = "POST /rns/echo HTTP/1.1\r\nHost: a\r\n";
      assertThat(peer.send(head + "Content-Length: " + large.length() + "\r\n\r\n" + large).body()).contains(large);
      String chunks = "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n";
      peer.send(head + "Transfer-Encoding: chunked\r\n\r\n" + chunks + post("/rns/echo", "Content-Encoding: gzip"));
      assertThat(peer.body() + peer.body()).contains(BODY);
      List<Optional<String>> digests = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        digests.add(((PassedOn.Known) taken(server, "POST", "/rns/echo")).digest());
      }
      assertThat(digests.get(0)).isEmpty();
      assertThat(digests.get(1)).isPresent();
      assertThat(digests.get(2)).isEmpty();
      byte[] body = BODY.getBytes(StandardCharsets.US_ASCII);
      CallerPassing.checkBody(new PassedOn.Known(ALICE, "", digests.get(1)), body, body.length);
    }
  }

  @Test
  void aRepeatedRequestIsSignedForTheOtherServer() throws Exception {
    EchoServer one = server();
    EchoServer two = server();
    try (HttpPeer peer = peer(front(one, two), USER)) {
      peer.send("GET /rns/names/a HTTP/1.1\r\nHost: a\r\nX-Hold: g\r\n\r\n");
      Waiting.until(() -> one.reached.size() + two.reached.size() == 1);
      EchoServer first = one.reached.isEmpty() ? two : one;
      EchoServer second = one.reached.isEmpty() ? one : two;
      second.gate("g").countDown();
      first.close();
      assertThat(peer.response()).startsWith("HTTP/1.1 200 ");
      assertThat(caller(first, "GET", "/rns/names/a")).isEqualTo(ALICE);
      assertThat(caller(second, "GET", "/rns/names/a")).isEqualTo(ALICE);
    }
  }

  @Test
  void aProxyExpiresOnAConnectionThatIsOpen() throws Exception {
    EchoServer server = server();
    FrontServer front = front(server);
    Credential proxy = TestAuthority.proxy(USER, new Wish().until(Instant.now().plusSeconds(8)));
    try (HttpPeer peer = peer(front, proxy)) {
      List<PassedOn> found = new ArrayList<>();
      Waiting.until(() -> {
        try {
          assertThat(peer.send(post("/rns/echo")).response()).startsWith("HTTP/1.1 200 ");
          found.add(taken(server, "POST", "/rns/echo"));
          return found.getLast() instanceof PassedOn.Refused;
        } catch (IOException | InterruptedException e) {
          throw new AssertionError(e);
        }
      });
      assertThat(found.getFirst()).isInstanceOf(PassedOn.Known.class);
      assertThat(((PassedOn.Refused) found.getLast()).reason()).contains("expired");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aResumedSessionHasTheCallerThatItBeganWith(String protocol) throws Exception {
    EchoServer server = server();
    FrontServer front = front(server);
    SSLContext client = client(USER);
    long began = 0;
    for (int i = 0; i < 2; i++) {
      SSLSocket socket = socket(client, front, protocol);
      try (HttpPeer peer = new HttpPeer(socket)) {
        assertThat(peer.send(post("/rns/echo")).response()).startsWith("HTTP/1.1 200 ");
        assertThat(caller(server, "POST", "/rns/echo")).isEqualTo(ALICE);
        long created = socket.getSession().getCreationTime();
        assertThat(i == 0 || created == began).as("a resumed session").isTrue();
        began = created;
      }
    }
    // Another client does not get into it.
    try (HttpPeer peer = new HttpPeer(socket(client(), front, protocol))) {
      assertThat(peer.send(post("/rns/echo")).response()).startsWith("HTTP/1.1 200 ");
      assertThat(server.callers.take()).isEmpty();
    }
  }

  @Test
  void aSuccessorAsksAsWell() throws Exception {
    EchoServer server = server();
    FrontServer old = front(server);
    try (HttpPeer idle = peer(old, USER)) {
      assertThat(idle.send(post("/rns/echo")).response()).startsWith("HTTP/1.1 200 ");
      assertThat(caller(server, "POST", "/rns/echo")).isEqualTo(ALICE);
      FrontServer successor = FrontServer.takeOver(settings(1, server), temporary.resolve("admin.0"));
      open.add(successor);
      assertThat(idle.rest()).isEmpty();
      try (HttpPeer later = peer(successor, USER)) {
        assertThat(later.send(post("/rns/echo")).response()).startsWith("HTTP/1.1 200 ");
        assertThat(caller(server, "POST", "/rns/echo")).isEqualTo(ALICE);
      }
    }
  }

  @Test
  void needsTlsTheSecretAndUsableFiles() throws Exception {
    EchoServer server = server();
    assertThatThrownBy(
        () -> TestSettings.of(
            temporary.resolve("admin"), List.of(server.url()), "--x509-trust=" + temporary.resolve("trust")))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("--tls-cert");
    FrontSettings settings = settings(2, server);
    Files.writeString(temporary.resolve("secret"), "\n");
    assertThatThrownBy(() -> FrontServer.start(settings)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("secret");
    Files.writeString(temporary.resolve("secret"), SECRET);
    Files.createDirectory(temporary.resolve("none"));
    assertThatThrownBy(() -> FrontServer.start(settings(3, "none", server)))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no certificate authority");
  }
}
