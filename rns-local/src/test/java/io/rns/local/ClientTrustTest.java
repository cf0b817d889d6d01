package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.certificate.CertificateAuthority;
import io.rns.certificate.CertifiedKey;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.TreeWalk;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.TlsTrust;
import io.rns.client.watch.ChangeStream;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which HTTPS servers clients accept, and what they say of others. */
@Timeout(60)
class ClientTrustTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir private Path temporary;
  private final List<HttpServer> open = new ArrayList<>();
  private final Instant now = Instant.now();
  private CertificateAuthority authority;
  private Path trusted;

  @BeforeEach
  void makeAuthority() {
    trusted = temporary.resolve("ca.pem");
    authority = CertificateAuthority.in(trusted, temporary.resolve("ca.key"), now);
  }

  @AfterEach
  void stop() {
    open.forEach(server -> server.stop(0));
  }

  private URI serve(CertifiedKey key) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("server", key.key(), new char[0], key.chain().toArray(Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return started(server, "https");
  }

  private URI started(HttpServer server, String scheme) {
    server.createContext("/", exchange -> {
      exchange.sendResponseHeaders(200, 2);
      exchange.getResponseBody().write(new byte[]{'o', 'k'});
      exchange.close();
    });
    server.start();
    open.add(server);
    return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort() + "/rns");
  }

  private static String get(TlsTrust trust, URI address) throws Exception {
    try (HttpCalls calls = new HttpCalls(LONG, trust)) {
      return new String(
          calls.send(new HttpCalls.Call("GET", address, Map.of(), HttpCalls.Body.NONE, LONG)).body(),
          StandardCharsets.US_ASCII);
    }
  }

  private CertifiedKey forLoopback() {
    return authority.issue(List.of("127.0.0.1", "localhost"), now);
  }

  @Test
  void acceptsWhatAFileTrusts() throws Exception {
    URI server = serve(forLoopback());
    assertThat(get(TlsTrust.file(trusted), server)).isEqualTo("ok");
    assertThat(get(TlsTrust.fileAndSystem(trusted), server)).isEqualTo("ok");
    URI named = URI.create(server.toString().replace("127.0.0.1", "localhost"));
    assertThat(get(TlsTrust.file(trusted), named)).isEqualTo("ok");
  }

  @Test
  void refusesUnknownAuthorities() throws Exception {
    URI server = serve(forLoopback());
    assertThatThrownBy(() -> get(TlsTrust.SYSTEM, server))
        .isInstanceOf(SSLException.class)
        .hasMessageContainingAll("of 127.0.0.1:" + server.getPort() + " is not trusted", "--ca FILE", "RNS_CA");
    Path other = temporary.resolve("other.pem");
    var unused = CertificateAuthority.in(other, temporary.resolve("other.key"), now);
    assertThatThrownBy(() -> get(TlsTrust.file(other), server)).hasMessageContaining("is not trusted");
  }

  @Test
  void refusesCertificatesForOtherNames() throws Exception {
    URI server = serve(authority.issue(List.of("rns.example.org", "127.0.0.2"), now));
    assertThatThrownBy(() -> get(TlsTrust.file(trusted), server))
        .hasMessageContaining("is for another name; use a name that is in it");
  }

  @Test
  void refusesExpiredCertificates() throws Exception {
    Instant past = now.minus(Duration.ofDays(400));
    CertificateAuthority old =
        CertificateAuthority.in(temporary.resolve("old.pem"), temporary.resolve("old.key"), past);
    URI server = serve(old.issue(List.of("127.0.0.1"), past));
    assertThatThrownBy(() -> get(TlsTrust.file(temporary.resolve("old.pem")), server))
        .hasMessageContaining("has expired; the operator has to renew it");
    URI future = serve(authority.issue(List.of("127.0.0.1"), now.plus(Duration.ofDays(2))));
    assertThatThrownBy(() -> get(TlsTrust.file(trusted), future)).hasMessageContaining("is not valid yet");
  }

  @Test
  void saysThatAServerDoesNotSpeakTls() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering = Thread.startVirtualThread(() -> answerPlainly(plain));
      URI server = URI.create("https://127.0.0.1:" + plain.getLocalPort() + "/rns");
      assertThatThrownBy(() -> get(TlsTrust.file(trusted), server))
          .isInstanceOf(SSLException.class)
          .hasMessageContainingAll("127.0.0.1:" + server.getPort() + " does not answer in TLS", "use http://");
      answering.join();
    }
  }

  private static void answerPlainly(ServerSocket plain) {
    try (Socket socket = plain.accept()) {
      int unused = socket.getInputStream().read(new byte[4_096]);
      socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      // Until the client has read it.
      long ignored = socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void messagesGoByTheSameRules() throws Exception {
    URI server = serve(forLoopback());
    assertThatThrownBy(() -> query(RnsClient.builder().server(server)))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContainingAll("cannot connect", "is not trusted");
    // It is no RNS server, but its certificate was accepted.
    assertThatThrownBy(() -> query(RnsClient.builder().server(server).trustedCertificates(trusted)))
        .hasMessageContaining("which is no SOAP message");
    assertThatThrownBy(() -> query(RnsClient.builder().server(server).sslContext(SSLContext.getDefault())))
        .hasMessageContaining("is not trusted");
  }

  private static void query(RnsClient.Builder builder) {
    try (RnsConnection names = builder.attempts(1).build()) {
      var unused = names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(RnsPath.ROOT)));
    }
  }

  /** A server that is reached without TLS, and what it received. */
  private URI plain(List<String> received) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/rns", exchange -> {
      received.add(exchange.getRequestMethod() + " " + exchange.getRequestHeaders().get("Authorization"));
      exchange.sendResponseHeaders(404, -1);
      exchange.close();
    });
    return started(server, "http");
  }

  private void answer(String path, int status, Map<String, String> headers, String text) {
    open.getFirst().createContext(path, exchange -> {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      headers.forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
  }

  private RnsConnection secured(URI server) {
    return RnsClient.builder().server(server).trustedCertificates(trusted)
        .credentials(refused -> Optional.of("Bearer secret")).attempts(1).deadline(LONG).build();
  }

  @Test
  void aCredentialForHttpsIsNotSentInClear() throws Exception {
    URI server = serve(forLoopback());
    List<String> received = Collections.synchronizedList(new ArrayList<>());
    URI plain = plain(received);
    answer("/rns/watch", 307, Map.of("Location", plain + "/watch?path=%2F"), "");
    assertThatThrownBy(() -> ChangeStream.of(server).trust(TlsTrust.file(trusted))
        .credentials(refused -> Optional.of("Bearer secret")).open().close())
        .isInstanceOf(RnsException.class).hasMessageContaining("redirects to " + plain)
        .hasMessageContaining("not HTTPS");

    XmlBuffer referral = new XmlBuffer(1_024);
    Envelope.open(referral, SoapVersion.V1_1, ReplyHeaders.NONE, "");
    Faults.write(
        referral, SoapVersion.V1_1,
        Fault.of(new Answer.Referred<>(plain.toString(), "the primary is there"), RnsPath.ROOT), true, now);
    Envelope.close(referral);
    ByteArrayOutputStream fault = new ByteArrayOutputStream();
    referral.writeTo(fault);
    answer(
        "/rns/services/rns", 500, Map.of("Content-Type", "text/xml; charset=utf-8"),
        fault.toString(StandardCharsets.UTF_8));
    answer(
        "/rns/names", 421, Map.of("Content-Type", "application/problem+json"),
        "{\"code\":\"NOT_PRIMARY\",\"detail\":\"elsewhere\",\"referral\":\"" + plain + "\"}");
    try (RnsConnection names = secured(server)) {
      assertThatThrownBy(() -> names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.ROOT)))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
      // A subtree is read by other requests then, which fail in the same way.
      assertThatThrownBy(() -> TreeWalk.of(names, Target.ROOT).deadline(LONG).open().next())
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
    }
    assertThat(received).isEmpty();
  }

  @Test
  void aCredentialIsNotForServersOfBothSchemes() {
    List<URI> mixed = List.of(URI.create("https://a.example.org/rns"), URI.create("http://b.example.org/rns"));
    assertThatThrownBy(
        () -> RnsClient.builder().servers(mixed).credentials(refused -> Optional.of("Bearer secret")).build())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
    assertThatThrownBy(() -> ChangeStream.of(mixed).credentials(refused -> Optional.of("Bearer secret")).open())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
    RnsClient.builder().servers(mixed).build().close();
  }

  @Test
  void saysWhatIsWrongWithAFile() throws IOException {
    Path none = temporary.resolve("none.pem");
    assertThatThrownBy(() -> TlsTrust.file(none)).hasMessageContaining("'" + none + "' does not exist");
    Path empty = Files.writeString(temporary.resolve("empty.pem"), "");
    assertThatThrownBy(() -> TlsTrust.file(empty)).hasMessageContaining("has no certificate");
    Path wrong = Files.writeString(temporary.resolve("wrong.pem"), "hello");
    assertThatThrownBy(() -> TlsTrust.file(wrong)).hasMessageContaining("certificate");
  }
}
