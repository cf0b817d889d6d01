package io.rns.server.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.association.AsapAccess;
import io.rns.association.AssociationLimits;
import io.rns.association.Multicast;
import io.rns.association.RegistrarPools;
import io.rns.association.RegistrarProtection;
import io.rns.association.RegistrarServer;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import io.rns.network.MulticastGroup;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.server.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ASAP and ENRP by TLS: registrars of one site, with real sockets, and attacks on them. */
@Timeout(120)
class PoolTlsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final String HERE = "127.0.0.1";
  private static final String HANDLE = "/service";

  /** A registrar that nobody answers begins soon. */
  private static final RegistrarSettings SETTINGS =
      new RegistrarSettings(RegistrarSettings.DEFAULTS.handlespace(), 300, 10_000, 500, 10_000, 99);

  @TempDir private Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();
  private PoolSite site;
  private long seed = 1;

  @BeforeEach
  void make() throws IOException {
    site = new PoolSite(directory);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  // ---- registrars

  private RegistrarServer bind() throws IOException {
    RegistrarServer server = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
    open.add(server);
    return server;
  }

  private void start(RegistrarServer server, Path certificate, boolean asks, RegistrarServer... others)
      throws Exception {
    PoolTls tls = site.tls(certificate, asks);
    List<InetSocketAddress> places = List.of(others).stream().map(RegistrarServer::peersAddress).toList();
    server.start(
        places, SETTINGS, new SplittableRandom(seed++), () -> System.nanoTime() / 1_000_000,
        new RegistrarProtection(Optional.of(tls), AsapAccess.OPEN));
    Eventually.until("it serves", BOUND, () -> server.ask(registrar -> registrar.isServing()));
  }

  private RegistrarServer registrar() throws Exception {
    RegistrarServer server = bind();
    start(server, site.write(PoolSite.server(PoolSite.CA)), false);
    return server;
  }

  /** One with few places for each kind of connections. */
  private RegistrarServer registrar(int places, Duration patience) throws Exception {
    RegistrarServer server = bind();
    PoolTls tls = site.tls(site.write(PoolSite.server(PoolSite.CA)), false);
    server.start(
        List.of(), SETTINGS, new SplittableRandom(seed++), () -> System.nanoTime() / 1_000_000,
        new RegistrarProtection(
            Optional.of(tls), AsapAccess.OPEN,
            new AssociationLimits(places, places, places, AssociationLimits.LEAST_BYTES, patience)));
    return server;
  }

  private static int registrars(RegistrarServer server) {
    RegistrarPools pools = new RegistrarPools(server, Duration.ZERO, BOUND);
    return pools.statistics().get("poolRegistrars").intValue();
  }

  private static void resolves(AsapSocket user, int elements) throws IOException {
    assertThat(user.ask(AsapSocket.resolution(HANDLE)))
        .isInstanceOfSatisfying(HandleResolutionResponse.class,
            answer -> assertThat(answer.elements()).hasSize(elements));
  }

  private void serves(RegistrarServer server) throws Exception {
    try (AsapSocket user = AsapSocket.tls(server.elementsAddress(), PoolSite.client())) {
      assertThat(user.ask(AsapSocket.registration(HANDLE, 1)))
          .isInstanceOfSatisfying(RegistrationResponse.class, answer -> assertThat(answer.rejected()).isFalse());
      resolves(user, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void elementsRegisterAndUsersResolve(String protocol) throws Exception {
    RegistrarServer server = registrar();
    SSLSocket socket = AsapSocket.secured(server.elementsAddress(), PoolSite.client());
    socket.setEnabledProtocols(new String[]{protocol});
    try (AsapSocket user = new AsapSocket(socket)) {
      for (int id = 1; id <= 3; id++) {
        assertThat(user.ask(AsapSocket.registration(HANDLE, id)))
            .isInstanceOfSatisfying(RegistrationResponse.class, answer -> assertThat(answer.rejected()).isFalse());
      }
      assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
      // Many in one go, and more than a record of answers.
      for (int i = 0; i < 2_000; i++) {
        user.send(AsapSocket.resolution(HANDLE));
      }
      for (int i = 0; i < 2_000; i++) {
        assertThat(user.receive()).isInstanceOf(HandleResolutionResponse.class);
      }
    }
  }

  @Test
  void aClientRefusesARegistrarOfAnotherAuthority() throws Exception {
    RegistrarServer server = bind();
    start(server, site.write(PoolSite.server(TestAuthority.make("DC=org", "DC=other", "CN=Site CA"))), false);
    assertThatThrownBy(() -> AsapSocket.tls(server.elementsAddress(), PoolSite.client()))
        .isInstanceOf(SSLException.class);
    RegistrarServer misnamed = bind();
    start(misnamed,
        site.write(
            PoolSite.CA.issue(PoolSite.named(new Wish(), GeneralName.dNSName, "elsewhere.example"), "CN=server")),
        false);
    assertThatThrownBy(() -> AsapSocket.tls(misnamed.elementsAddress(), PoolSite.client()))
        .isInstanceOf(SSLException.class);
  }

  @Test
  void registrarsOfTheSiteShareTheirPools() throws Exception {
    RegistrarServer one = registrar();
    serves(one);
    RegistrarServer two = bind();
    start(two, site.write(PoolSite.server(PoolSite.CA)), false, one);
    Eventually.until("both know each other", BOUND, () -> registrars(one) == 2 && registrars(two) == 2);
    try (AsapSocket element = AsapSocket.tls(two.elementsAddress(), PoolSite.client());
        AsapSocket user = AsapSocket.tls(one.elementsAddress(), PoolSite.client())) {
      element.send(AsapSocket.registration(HANDLE, 2));
      Eventually.until("the other registrar knows", BOUND,
          () -> one.ask(registrar -> registrar.handlespace().size()) == 2);
      resolves(user, 2);
    }
  }

  @Test
  void strangersAreNoPeers() throws Exception {
    RegistrarServer server = registrar();
    serves(server);
    TestAuthority other = TestAuthority.make("DC=org", "DC=test", "CN=Site CA");
    Instant now = Instant.now();
    Map<String, Credential> strangers = new LinkedHashMap<>();
    strangers.put("another authority of the same name", PoolSite.server(other));
    strangers.put("a user of the site", PoolSite.CA.issue("DC=org", "DC=test", "CN=Alice"));
    strangers.put("another host of the site",
        PoolSite.CA.issue(PoolSite.named(new Wish(), GeneralName.iPAddress, "127.0.0.2"), "DC=org", "DC=test",
            "CN=other"));
    strangers.put("a wildcard",
        PoolSite.CA.issue(PoolSite.named(new Wish(), GeneralName.dNSName, "*"), "DC=org", "DC=test", "CN=other"));
    strangers.put("expired",
        PoolSite.CA.issue(PoolSite.named(new Wish().until(now.minusSeconds(1)), GeneralName.iPAddress, HERE),
            "CN=server"));
    strangers.put("self-signed",
        TestAuthority.make(PoolSite.named(new Wish(), GeneralName.iPAddress, HERE), "CN=server").credential());
    for (Map.Entry<String, Credential> each : strangers.entrySet()) {
      isRefused(each.getKey(), server, PoolSite.client(each.getValue()));
      RegistrarServer stranger = bind();
      start(stranger, site.write(each.getValue()), false, server);
      assertThat(registrars(stranger)).as(each.getKey()).isEqualTo(1);
    }
    isRefused("no certificate", server, PoolSite.client());
    assertThat(registrars(server)).isEqualTo(1);
    serves(server);
  }

  /** An announcement is an address to try; the certificate decides who is a peer. */
  @Test
  void anAnnouncementMakesNobodyAPeer() throws Exception {
    MulticastGroup group = MulticastGroup.parse("239.255.77." + (1 + ProcessHandle.current().pid() % 250) + "%lo");
    int port;
    try (DatagramSocket free = new DatagramSocket()) {
      port = free.getLocalPort();
    }
    Multicast multicast = new Multicast(group, port, port, "");
    RegistrarServer one = announced(PoolSite.server(PoolSite.CA), multicast);
    RegistrarServer stranger =
        announced(PoolSite.server(TestAuthority.make("DC=org", "DC=test", "CN=Site CA")), multicast);
    RegistrarServer user = announced(PoolSite.CA.issue("DC=org", "DC=test", "CN=Alice"), multicast);
    RegistrarServer other = announced(PoolSite.server(PoolSite.CA), multicast);
    Eventually.until("those of the site know each other", BOUND,
        () -> registrars(one) == 2 && registrars(other) == 2);
    assertThat(registrars(stranger)).isEqualTo(1);
    assertThat(registrars(user)).isEqualTo(1);
    serves(one);
    assertThat(registrars(one)).isEqualTo(2);
    assertThat(registrars(other)).isEqualTo(2);
  }

  private RegistrarServer announced(Credential credential, Multicast multicast) throws Exception {
    RegistrarServer server = bind();
    server.start(
        List.of(), SETTINGS, new SplittableRandom(seed++), () -> System.nanoTime() / 1_000_000,
        new RegistrarProtection(Optional.of(site.tls(site.write(credential), false)), AsapAccess.OPEN),
        Optional.of(multicast));
    Eventually.until("it serves", BOUND, () -> server.ask(registrar -> registrar.isServing()));
    return server;
  }

  /** An element proves its control address, each time. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void onlyTheCertificateOfItsControlAddressIsTrusted(String protocol) throws Exception {
    RegistrarServer server = registrar();
    Credential other = PoolSite.CA.issue(PoolSite.named(new Wish(), GeneralName.iPAddress, "127.0.0.2"), "CN=other");
    Credential wildcard = PoolSite.CA.issue(PoolSite.named(new Wish(), GeneralName.dNSName, "*"), "CN=other");
    Credential stranger = PoolSite.server(TestAuthority.make("DC=org", "DC=test", "CN=Site CA"));
    try (ServerSocket control = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      control.setSoTimeout((int) BOUND.toMillis());
      for (Credential each : List.of(PoolSite.server(PoolSite.CA), PoolSite.server(PoolSite.CA))) {
        assertThat(askedAt(control, server, each, protocol)).isInstanceOf(AsapMessage.KeepAlive.class);
      }
      for (Credential each : List.of(other, wildcard, stranger)) {
        assertThatThrownBy(() -> askedAt(control, server, each, protocol)).isInstanceOf(IOException.class);
      }
    }
  }

  /** What comes to a control address that presents a certificate, after the connection of its element has ended. */
  private static AsapMessage askedAt(
      ServerSocket control, RegistrarServer server, Credential presented, String protocol) throws IOException {
    try (AsapSocket element = AsapSocket.tls(server.elementsAddress(), PoolSite.client())) {
      assertThat(element.ask(AsapSocket.controlled(HANDLE, 1, control.getLocalPort())))
          .isInstanceOfSatisfying(RegistrationResponse.class, answer -> assertThat(answer.rejected()).isFalse());
    }
    Socket asked = control.accept();
    SSLSocket socket = (SSLSocket) PoolSite.client(presented).createSocket(asked, HERE, asked.getPort(), true);
    socket.setUseClientMode(false);
    socket.setEnabledProtocols(new String[]{protocol});
    try (AsapSocket at = new AsapSocket(socket)) {
      return at.receive();
    }
  }

  /** In TLS 1.3 a client learns after its part of the handshake that it was refused. */
  private static void isRefused(String who, RegistrarServer server, SSLSocketFactory stranger) throws IOException {
    try (SSLSocket socket = AsapSocket.secured(server.peersAddress(), stranger)) {
      assertThatThrownBy(() -> {
        socket.startHandshake();
        int answer = socket.getInputStream().read();
        assertThat(answer).isNotEqualTo(-1);
      }).as(who).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aRenewedCertificateIsPresentedToNewConnections() throws Exception {
    RegistrarServer server = bind();
    Path file = site.write(PoolSite.server(PoolSite.CA));
    start(server, file, false);
    try (AsapSocket before = AsapSocket.tls(server.elementsAddress(), PoolSite.client())) {
      Certificate former = ((SSLSocket) before.socket()).getSession().getPeerCertificates()[0];
      TestAuthority.write(file, PoolSite.server(PoolSite.CA).pem());
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      Eventually.until("the new one is presented", BOUND, () -> {
        try (AsapSocket after = AsapSocket.tls(server.elementsAddress(), PoolSite.client())) {
          return !((SSLSocket) after.socket()).getSession().getPeerCertificates()[0].equals(former);
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      });
      Files.writeString(file, "no certificate");
      assertThat(before.ask(AsapSocket.registration(HANDLE, 1))).isInstanceOf(RegistrationResponse.class);
      serves(server);
    }
  }

  /** What TLS keeps between messages is not taken for an unfinished one; the rest of a record is awaited. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void idleConnectionsStayButRecordsHaveToEnd(String protocol) throws Exception {
    RegistrarServer server = registrar(9, Duration.ofMillis(500));
    try (AsapSocket idle = secured(server, protocol, raw(server));
        Socket stalled = raw(server);
        AsapSocket beginning = secured(server, protocol, stalled)) {
      resolves(idle, 0);
      resolves(beginning, 0);
      // The head of a record, and no more.
      stalled.getOutputStream().write(new byte[]{23, 3, 3, 1, 0});
      assertThat(answer(stalled)).as("an alert at most").hasSizeLessThan(100);
      resolves(idle, 0);
    }
  }

  private static AsapSocket secured(RegistrarServer server, String protocol, Socket raw) throws Exception {
    InetSocketAddress at = server.elementsAddress();
    SSLSocket socket =
        (SSLSocket) PoolSite.client().createSocket(raw, at.getAddress().getHostAddress(), at.getPort(), false);
    socket.setEnabledProtocols(new String[]{protocol});
    return new AsapSocket(socket);
  }

  // ---- attacks

  private static Socket raw(RegistrarServer server) throws IOException {
    Socket socket = new Socket(server.elementsAddress().getAddress(), server.elementsAddress().getPort());
    socket.setSoTimeout((int) BOUND.toMillis());
    return socket;
  }

  /** What a registrar answers before it closes. */
  private static byte[] answer(Socket socket) throws IOException {
    try {
      return socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      // Reset, with something unread.
      return new byte[0];
    }
  }

  /** A first message of TLS whose newest version is this, with suites of the time. */
  static byte[] hello(int version) {
    byte[] suites = {(byte) 0xc0, 0x2b, (byte) 0xc0, 0x2f, (byte) 0xc0, 0x09, (byte) 0xc0, 0x13, 0, 0x2f};
    byte[] extensions = {0, 16, 0, 10, 0, 4, 0, 2, 0, 0x17, 0, 13, 0, 4, 0, 2, 4, 3};
    int body = 2 + 32 + 1 + 2 + suites.length + 2 + extensions.length;
    byte[] message = new byte[5 + 4 + body];
    byte[] head = {0x16, 3, 1, 0, (byte) (body + 4), 1, 0, 0, (byte) body, (byte) (version >> 8), (byte) version};
    System.arraycopy(head, 0, message, 0, head.length);
    int at = head.length + 32 + 1;
    message[at + 1] = (byte) suites.length;
    System.arraycopy(suites, 0, message, at + 2, suites.length);
    message[at + 2 + suites.length] = 1;
    System.arraycopy(extensions, 0, message, message.length - extensions.length, extensions.length);
    return message;
  }

  @Test
  void whatIsNotTlsIsClosed() throws Exception {
    RegistrarServer server = registrar();
    for (byte[] bytes : List.of(
        AsapCodec.encode(AsapSocket.registration(HANDLE, 1)),
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
        hello(0x0301), hello(0x0302))) {
      try (Socket socket = raw(server)) {
        socket.getOutputStream().write(bytes);
        byte[] answer = answer(socket);
        assertThat(answer.length).isLessThan(20);
        assertThat(answer.length == 0 || answer[0] == 0x15).as("an alert or nothing").isTrue();
      }
    }
    try (Socket socket = raw(server)) {
      socket.getOutputStream().write(hello(0x0303));
      assertThat(socket.getInputStream().read()).as("TLS 1.2 goes on").isEqualTo(0x16);
    }
    serves(server);
    int known = server.ask(registrar -> registrar.handlespace().size());
    assertThat(known).isEqualTo(1);
  }

  @Test
  void stalledHandshakesDelayNobodyAndEnd() throws Exception {
    RegistrarServer server = registrar();
    byte[] hello = hello(0x0303);
    List<byte[]> beginnings =
        List.of(
            new byte[0], Arrays.copyOf(hello, 20), hello,
            // A record longer than any, of which little comes.
            new byte[]{0x16, 3, 3, 0x7f, (byte) 0xff, 1, 2, 3});
    List<Socket> stalled = new ArrayList<>();
    long begin = System.nanoTime();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = raw(server);
        stalled.add(socket);
        socket.getOutputStream().write(beginnings.get(i % beginnings.size()));
      }
      for (int i = 0; i < 5; i++) {
        serves(server);
      }
      Socket silent = stalled.get(196);
      silent.setSoTimeout(1);
      assertThatThrownBy(() -> silent.getInputStream().read()).as("it is still open")
          .isInstanceOf(SocketTimeoutException.class);
      silent.setSoTimeout((int) BOUND.toMillis());
      for (Socket socket : stalled) {
        byte[] unused = answer(socket);
      }
      assertThat(System.nanoTime() - begin).as("they had their time").isGreaterThan(TimeUnit.SECONDS.toNanos(9));
      serves(server);
    } finally {
      for (Socket socket : stalled) {
        socket.close();
      }
    }
  }

  /** They may be as long as a handshake admits, and stay as long as the connection. */
  @Test
  void certificatesOfClientsCountAsMemory() throws Exception {
    RegistrarServer server = bind();
    start(server, site.write(PoolSite.server(PoolSite.CA)), true);
    Credential alice = PoolSite.CA.issue("DC=org", "DC=test", "CN=Alice");
    RegistrarPools pools = new RegistrarPools(server, Duration.ZERO, BOUND);
    try (AsapSocket user = AsapSocket.tls(server.elementsAddress(), PoolSite.client(alice))) {
      resolves(user, 0);
      long length = alice.chain().get(0).getEncoded().length;
      Eventually.until("they are counted", BOUND,
          () -> pools.statistics().get("poolConnectionBytes").longValue() >= 2 * length);
      resolves(user, 0);
    }
    Eventually.until("nothing is left", BOUND, () -> pools.statistics().get("poolConnectionBytes").longValue() == 0);
  }

  /** The oldest of them make room. */
  @Test
  void moreHandshakesThanPlacesKeepNobodyOut() throws Exception {
    RegistrarServer server = registrar();
    List<Socket> stalled = new ArrayList<>();
    try {
      for (int i = 0; i < 1_100; i++) {
        stalled.add(raw(server));
      }
      assertThat(answer(stalled.get(0))).as("at most an alert").hasSizeLessThan(20);
      serves(server);
    } finally {
      for (Socket socket : stalled) {
        socket.close();
      }
    }
  }

  /** Handshakes have a part of the places, so that registrars find one. */
  @Test
  void handshakesTakeNoPlaceFromAnotherRegistrar() throws Exception {
    RegistrarServer server = registrar(16, Duration.ofSeconds(10));
    List<Socket> stalled = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        stalled.add(new Socket(server.peersAddress().getAddress(), server.peersAddress().getPort()));
      }
      for (Socket oldest : stalled.subList(0, 36)) {
        oldest.setSoTimeout((int) BOUND.toMillis());
        assertThat(answer(oldest)).as("at most an alert").hasSizeLessThan(20);
      }
      Map<String, Number> figures = new RegistrarPools(server, Duration.ZERO, BOUND).statistics();
      assertThat(figures).as("all had a place").containsEntry("poolConnectionsRefused", 0L);
      RegistrarServer other = bind();
      start(other, site.write(PoolSite.server(PoolSite.CA)), false, server);
      Eventually.until("both know each other", BOUND, () -> registrars(server) == 2 && registrars(other) == 2);
    } finally {
      for (Socket socket : stalled) {
        socket.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void aClientThatSendsNoMoreGetsItsAnswer(String protocol) throws Exception {
    RegistrarServer server = registrar();
    serves(server);
    SSLSocket socket = AsapSocket.secured(server.elementsAddress(), PoolSite.client());
    socket.setEnabledProtocols(new String[]{protocol});
    try (AsapSocket user = new AsapSocket(socket)) {
      socket.startHandshake();
      user.send(AsapSocket.resolution(HANDLE));
      if (protocol.equals("TLSv1.3")) {
        socket.shutdownOutput();
      }
      assertThat(user.receive()).isInstanceOf(HandleResolutionResponse.class);
      if (protocol.equals("TLSv1.3")) {
        assertThatThrownBy(user::receive).isInstanceOf(IOException.class);
      }
    }
    // Without saying so.
    SSLSocket rude = AsapSocket.secured(server.elementsAddress(), PoolSite.client());
    rude.startHandshake();
    rude.setSoLinger(true, 0);
    rude.close();
    serves(server);
  }

  @Test
  void tinyRecordsDelayNobody() throws Exception {
    RegistrarServer server = registrar();
    serves(server);
    byte[] message = AsapCodec.encode(AsapSocket.resolution(HANDLE));
    try (AsapSocket flooding = AsapSocket.tls(server.elementsAddress(), PoolSite.client());
        AsapSocket user = AsapSocket.tls(server.elementsAddress(), PoolSite.client())) {
      Thread flood = Thread.ofVirtual().start(() -> flood(flooding, message));
      for (int i = 0; i < 1_000; i++) {
        resolves(user, 1);
      }
      flooding.socket().close();
      assertThat(flood.join(BOUND)).isTrue();
    }
    try (AsapSocket slow = AsapSocket.tls(server.elementsAddress(), PoolSite.client())) {
      for (byte each : message) {
        slow.socket().getOutputStream().write(each);
      }
      assertThat(slow.receive()).isInstanceOf(HandleResolutionResponse.class);
    }
  }

  /** Bytes of one message that never ends, a record each. */
  private static void flood(AsapSocket by, byte[] message) {
    try {
      OutputStream out = by.socket().getOutputStream();
      out.write(new byte[]{5, 0, (byte) 0xff, (byte) 0xfc});
      for (int i = 0; i < 65_000; i++) {
        out.write(message[i % message.length]);
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  @Test
  void renegotiationEndsTheConnection() throws Exception {
    RegistrarServer server = registrar();
    serves(server);
    SSLSocket socket = AsapSocket.secured(server.elementsAddress(), PoolSite.client());
    socket.setEnabledProtocols(new String[]{"TLSv1.2"});
    try (AsapSocket user = new AsapSocket(socket)) {
      resolves(user, 1);
      assertThatThrownBy(() -> {
        socket.startHandshake();
        resolves(user, 1);
      }).isInstanceOf(IOException.class);
    }
    // A new key is no renegotiation.
    SSLSocket newer = AsapSocket.secured(server.elementsAddress(), PoolSite.client());
    try (AsapSocket user = new AsapSocket(newer)) {
      resolves(user, 1);
      newer.startHandshake();
      resolves(user, 1);
      resolves(user, 1);
    }
    serves(server);
  }
}
