package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.certificate.CertifiedKey;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.TlsTrust;
import io.rns.client.watch.ChangeStream;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.server.Eventually;
import io.rns.server.pool.AsapSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A group and its front over HTTPS, scanned and used from outside; its servers call each other in the same way. */
@Tag("slow")
@Timeout(120)
class TlsIT {
  /** The type of records that go on with a handshake. */
  private static final byte[] HANDSHAKE = {0x16};

  private static final Duration LONG = Duration.ofSeconds(20);

  /** The only suites that are wanted: forward secrecy and authenticated encryption. */
  private static final String WANTED = "TLS_AES_.*_GCM_.*|TLS_CHACHA20_.*|TLS_ECDHE_ECDSA_WITH_.*(GCM|CHACHA20).*";

  @TempDir private static Path temporary;
  private static LocalGroup group;
  private static Path authority;

  @BeforeAll
  static void start() {
    Path data = temporary.resolve("group");
    authority = data.resolve("tls/ca.pem");
    group = LocalGroup.start(LocalGroup.Settings.in(data, 1).withTls(), new FrontPorts(1, 0), line -> {});
  }

  @AfterAll
  static void stop() {
    group.close();
  }

  private static final int FRONT = 3;

  /** Servers 1 and 2, and {@code FRONT}. */
  private static URI url(int server) {
    return URI.create(
        server == FRONT ? group.state().fronts().getFirst().url() : group.members().get(server - 1).url());
  }

  // ---- scan

  private static SSLSocket socket(int server, TlsTrust trust) throws IOException {
    Socket plain = new Socket(InetAddress.getLoopbackAddress(), url(server).getPort());
    plain.setSoTimeout((int) LONG.toMillis());
    return (SSLSocket) trust.sockets().createSocket(plain, "127.0.0.1", url(server).getPort(), true);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, FRONT})
  void takesTls12And13Only(int server) throws IOException {
    for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
      try (SSLSocket socket = socket(server, TlsTrust.file(authority))) {
        socket.setEnabledProtocols(new String[]{protocol});
        socket.startHandshake();
        assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
      }
    }
    // This Java offers no older ones, so the first message is made by hand.
    for (int version : List.of(0x0300, 0x0301, 0x0302)) {
      // An alert or nothing.
      assertThat(hello(server, version)).as("answer to version %x", version).isNotEqualTo(HANDSHAKE);
    }
    assertThat(hello(server, 0x0303)).as("answer to the same hello of TLS 1.2").isEqualTo(HANDSHAKE);
  }

  /** The first answer to a client whose newest version is this. */
  private static byte[] hello(int server, int version) throws IOException {
    byte[] suites = {(byte) 0xc0, 0x2b, (byte) 0xc0, 0x2f, (byte) 0xc0, 0x09, (byte) 0xc0, 0x13, 0, 0x2f};
    // Groups of keys (P-256), and signatures (ECDSA with SHA-256).
    byte[] extensions = {0, 16, 0, 10, 0, 4, 0, 2, 0, 0x17, 0, 13, 0, 4, 0, 2, 4, 3};
    int body = 2 + 32 + 1 + 2 + suites.length + 2 + extensions.length;
    byte[] message = new byte[5 + 4 + body];
    byte[] head = {
        0x16, 3, (byte) (version == 0x0300 ? 0 : 1), 0, (byte) (body + 4), 1, 0, 0, (byte) body,
        (byte) (version >> 8), (byte) version
    };
    System.arraycopy(head, 0, message, 0, head.length);
    int at = head.length + 32 + 1;
    message[at + 1] = (byte) suites.length;
    System.arraycopy(suites, 0, message, at + 2, suites.length);
    message[at + 2 + suites.length] = 1;
    System.arraycopy(extensions, 0, message, message.length - extensions.length, extensions.length);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url(server).getPort())) {
      socket.setSoTimeout((int) LONG.toMillis());
      socket.getOutputStream().write(message);
      return socket.getInputStream().readNBytes(1);
    } catch (SocketException e) {
      // Closed with a part of the message unread.
      return new byte[0];
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, FRONT})
  void takesSuitesWithForwardSecrecyAndAuthenticatedEncryptionOnly(int server) throws IOException {
    List<String> taken = new ArrayList<>();
    for (String suite : all()) {
      try (SSLSocket socket = socket(server, TlsTrust.file(authority))) {
        socket.setEnabledCipherSuites(new String[]{suite});
        socket.startHandshake();
        taken.add(suite);
      } catch (SSLException e) {
        assertThat(suite).as("refused, although it is wanted: " + e).doesNotMatch(WANTED);
      }
    }
    assertThat(taken).hasSizeGreaterThanOrEqualTo(6).allMatch(suite -> suite.matches(WANTED));
  }

  private static List<String> all() throws IOException {
    try (SSLSocket socket = socket(1, TlsTrust.SYSTEM)) {
      return List.of(socket.getSupportedCipherSuites());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, FRONT})
  void presentsItsChainForItsNames(int server) throws Exception {
    List<X509Certificate> trusted = CertifiedKey.certificates(authority);
    try (SSLSocket socket = socket(server, TlsTrust.file(authority))) {
      socket.startHandshake();
      Certificate[] chain = socket.getSession().getPeerCertificates();
      assertThat(chain).hasSize(2).endsWith(trusted.getFirst());
      assertThat(((X509Certificate) chain[0]).getSubjectAlternativeNames())
          .extracting(name -> String.valueOf(name.get(1))).containsExactlyInAnyOrder("127.0.0.1", "localhost");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, FRONT})
  void refusesToRenegotiate(int server) throws IOException {
    try (SSLSocket socket = socket(server, TlsTrust.file(authority))) {
      socket.setEnabledProtocols(new String[]{"TLSv1.2"});
      socket.startHandshake();
      socket.startHandshake();
      socket.getOutputStream().write("GET /rns/health HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThatThrownBy(() -> socket.getInputStream().readAllBytes()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void nobodyElseReadsKeys() throws IOException {
    try (var files = Files.walk(temporary.resolve("group"))) {
      List<Path> secrets =
          files.filter(file -> file.toString().endsWith(".key") && !file.toString().contains("/database/")).toList();
      assertThat(secrets).hasSizeGreaterThanOrEqualTo(2);
      for (Path secret : secrets) {
        assertThat(Files.getPosixFilePermissions(secret))
            .isEqualTo(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
      }
    }
  }

  // ---- use

  @Test
  void announcesHttpsEverywhere() throws Exception {
    assertThat(group.url()).startsWith("https://127.0.0.1:");
    assertThat(group.state().json()).contains("https://127.0.0.1:").doesNotContain("http://");
    assertThat(get("/status"))
        .contains("\"soap\":\"https://127.0.0.1:", "\"url\":\"https://127.0.0.1:", "\"certificate\":{\"expires\":\"20")
        .doesNotContain("http://");
    assertThat(get("/services/rns?wsdl")).contains("location=\"https://127.0.0.1:");
    assertThat(get("/health")).isEqualTo("serving\n");
    assertThat(get("/metrics")).containsPattern("\nrns_certificate_expiry_seconds 3\\.1[0-9]*E7\n");
  }

  private static String get(String path) throws Exception {
    return get(1, path);
  }

  private static String get(int server, String path) throws Exception {
    try (HttpCalls calls = new HttpCalls(LONG, TlsTrust.file(authority))) {
      URI address = URI.create(url(server) + path);
      HttpCalls.Reply<byte[]> reply =
          calls.send(new HttpCalls.Call("GET", address, Map.of(), HttpCalls.Body.NONE, LONG));
      return new String(reply.body(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void registrarsAndElementsReachEachOther() throws Exception {
    SSLSocketFactory client = TlsTrust.file(authority).sockets();
    try (AsapSocket element = AsapSocket.tls(registrar(1), client);
        AsapSocket user = AsapSocket.tls(registrar(2), client)) {
      Eventually.until("the registrar serves", LONG,
          () -> element.ask(AsapSocket.registration("/svc/tls", 1)) instanceof RegistrationResponse answer
              && !answer.rejected());
      Eventually.until("the other one knows", LONG,
          () -> user.ask(AsapSocket.resolution("/svc/tls")) instanceof HandleResolutionResponse answer
              && answer.elements().size() == 1);
    }
    try (AsapSocket plain = AsapSocket.plain(registrar(1))) {
      assertThatThrownBy(() -> plain.ask(AsapSocket.resolution("/svc/tls"))).isInstanceOf(Exception.class);
    }
    try (SSLSocket stranger = (SSLSocket) client.createSocket("127.0.0.1", place(1, "enrp").getPort())) {
      assertThatThrownBy(() -> {
        stranger.startHandshake();
        assertThat(stranger.getInputStream().read()).isNotEqualTo(-1);
      }).as("without a certificate").isInstanceOf(IOException.class);
    }
  }

  private static InetSocketAddress registrar(int server) throws Exception {
    return place(server, "asap");
  }

  private static InetSocketAddress place(int server, String protocol) throws Exception {
    for (JsonNode each : new ObjectMapper().readTree(get(server, "/status")).path("servers")) {
      if (each.path("name").asText().equals("server-" + server)) {
        assertThat(each.path("registrar").path("tls").asBoolean()).isTrue();
        String[] parts = each.path("registrar").path(protocol).asText().split(":", -1);
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(parts[1]));
      }
    }
    throw new AssertionError("no server-" + server);
  }

  @Test
  void serversAndClientsReachEachOther() throws Exception {
    RnsPath directory = RnsPath.parse("/made-at-replica");
    try (ChangeStream changes =
        ChangeStream.of(url(1)).trust(TlsTrust.file(authority)).patience(LONG).open();
        RnsConnection replica =
            RnsClient.builder().server(url(2)).trustedCertificates(authority).followReferrals(false).build();
        RnsConnection front =
            RnsClient.builder().server(url(FRONT)).trustedCertificates(authority).followReferrals(false).build();
        RnsConnection primary = RnsClient.builder().server(url(1)).trustedCertificates(authority).build()) {
      // One of both passes it on to the other.
      NewEntry entry = NewEntry.directory(Target.of(directory));
      replica.add(CallContext.ANONYMOUS, AddRequest.of(entry)).value().forEach(Outcome::orThrow);
      assertThat(changes.next(LONG).orElseThrow().path()).isEqualTo(directory);
      primary.seen(replica.positions());
      var found = primary.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(directory))).value().getFirst();
      assertThat(found.orThrow().displayName()).isEqualTo("made-at-replica");
      NewEntry other = NewEntry.directory(Target.of("/made-at-front"));
      front.add(CallContext.ANONYMOUS, AddRequest.of(other)).value().forEach(Outcome::orThrow);
      assertThat(changes.next(LONG).orElseThrow().path()).isEqualTo(RnsPath.parse("/made-at-front"));
    }
    for (int server : List.of(1, 2, FRONT)) {
      assertThat(get(server, "/names/made-at-replica")).contains("\"kind\":\"directory\"");
    }
  }
}
