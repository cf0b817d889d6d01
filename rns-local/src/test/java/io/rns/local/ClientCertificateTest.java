package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.rns.certificate.CertificateAuthority;
import io.rns.certificate.CertifiedKey;
import io.rns.client.RnsClient;
import io.rns.client.http.ClientCertificate;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsException;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What clients present to HTTPS servers that ask for a certificate, and to which. */
@Timeout(60)
class ClientCertificateTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final TestAuthority GRID = TestAuthority.make("O=test", "CN=Grid CA");

  @TempDir private Path temporary;
  private final AtomicInteger presented = new AtomicInteger();
  private Path trusted;
  private HttpsServer server;
  private URI url;

  /** Takes every client, and counts their certificates. */
  private final class Counter implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
      presented.incrementAndGet();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      // An authority that no client here has a certificate of: proxies have none.
      return new X509Certificate[]{GRID.certificate()};
    }
  }

  @BeforeEach
  void serve() throws Exception {
    trusted = temporary.resolve("ca.pem");
    CertifiedKey key =
        CertificateAuthority.in(trusted, temporary.resolve("ca.key"), Instant.now())
            .issue(List.of("127.0.0.1"), Instant.now());
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("server", key.key(), new char[0], key.chain().toArray(Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), new TrustManager[]{new Counter()}, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters parameters) {
        SSLParameters own = context.getDefaultSSLParameters();
        own.setWantClientAuth(true);
        parameters.setSSLParameters(own);
      }
    });
    server.createContext("/", exchange -> {
      byte[] body = chain((HttpsExchange) exchange).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    url = URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/rns");
  }

  private static String chain(HttpsExchange exchange) {
    try {
      Certificate[] chain = exchange.getSSLSession().getPeerCertificates();
      return ((X509Certificate) chain[0]).getSubjectX500Principal().getName() + " " + chain.length;
    } catch (SSLPeerUnverifiedException e) {
      return "none";
    }
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static String get(HttpCalls calls, URI url) throws Exception {
    return new String(
        calls.send(new HttpCalls.Call("GET", url, Map.of(), HttpCalls.Body.NONE, LONG)).body(),
        StandardCharsets.UTF_8);
  }

  private String get(TlsTrust trust) throws Exception {
    try (HttpCalls calls = new HttpCalls(LONG, trust)) {
      return get(calls, url);
    }
  }

  private Path file(String name, String content) throws IOException {
    Path file = Files.writeString(temporary.resolve(name), content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private static String pem(Object object) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    }
    return text.toString();
  }

  private ClientCertificate files(String chain, String key) throws IOException {
    return ClientCertificate.files(file("cert.pem", chain), file("key.pem", key));
  }

  @Test
  void keysOfEveryUsualFormatWork() throws Exception {
    TlsTrust trust = TlsTrust.file(trusted);
    Credential curve = GRID.issue("O=test", "CN=Alice");
    Credential rsa = GRID.issue(new Wish().key("RSA", 2_048), "O=test", "CN=Bob");
    Credential wide = GRID.issue(new Wish().key("EC", 521), "O=test", "CN=Carol");
    for (Credential each : List.of(curve, rsa, wide)) {
      String chain = pem(each.certificate());
      String own = pem(each.key());
      assertThat(own).containsPattern("BEGIN (RSA|EC) PRIVATE KEY");
      String expected = each.certificate().getSubjectX500Principal().getName() + " 1";
      assertThat(get(trust.presenting(files(chain, own)))).isEqualTo(expected);
      String pkcs8 = TestAuthority.pem("PRIVATE KEY", each.key().getEncoded());
      assertThat(get(trust.presenting(files("text\n" + chain, pkcs8 + "more text")))).isEqualTo(expected);
      assertThat(get(trust.presenting(ClientCertificate.file(file("both.pem", own + chain))))).isEqualTo(expected);
    }
    assertThat(get(trust)).isEqualTo("none");
  }

  @Test
  void aProxyIsPresentedWithItsChain() throws Exception {
    Credential proxy = TestAuthority.proxy(TestAuthority.proxy(GRID.issue("O=test", "CN=Alice")));
    String answer = get(TlsTrust.file(trusted).presenting(ClientCertificate.file(file("proxy.pem", proxy.pem()))));
    assertThat(answer).endsWith(",CN=Alice,O=test 3");
  }

  @Test
  void aServerThatIsNotTrustedGetsNothing() throws Exception {
    ClientCertificate own = ClientCertificate.file(file("own.pem", GRID.issue("O=test", "CN=Alice").pem()));
    assertThatThrownBy(() -> get(TlsTrust.SYSTEM.presenting(own))).hasMessageContaining("is not trusted");
    URI named = URI.create(url.toString().replace("127.0.0.1", "localhost"));
    try (HttpCalls calls = new HttpCalls(LONG, TlsTrust.file(trusted).presenting(own))) {
      assertThatThrownBy(() -> get(calls, named)).hasMessageContaining("another name");
    }
    assertThat(presented).hasValue(0);
  }

  @Test
  void aRenewedProxyIsUsedByClientsThatAreAtWork() throws Exception {
    Credential user = GRID.issue("O=test", "CN=Alice");
    Path file = file("proxy.pem", TestAuthority.proxy(user, new Wish().named("1")).pem());
    try (HttpCalls calls = new HttpCalls(LONG, TlsTrust.file(trusted).presenting(ClientCertificate.file(file)))) {
      assertThat(get(calls, url)).startsWith("CN=1,");
      // Half of a file changes nothing.
      TestAuthority.write(file, "-----BEGIN CERTIFICATE-----\n");
      assertThat(get(calls, url)).startsWith("CN=1,");
      TestAuthority.write(file, TestAuthority.proxy(user, new Wish().named("2")).pem());
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      String answer = get(calls, url);
      for (long end = System.nanoTime() + LONG.toNanos(); answer.startsWith("CN=1,"); answer = get(calls, url)) {
        assertThat(System.nanoTime()).isLessThan(end);
      }
      assertThat(answer).startsWith("CN=2,");
    }
  }

  @Test
  void unusableFilesAreRefusedWithoutTheirContent() throws Exception {
    Credential alice = GRID.issue("O=test", "CN=Alice");
    Credential bob = GRID.issue("O=test", "CN=Bob");
    String chain = pem(alice.certificate());
    String key = pem(alice.key());
    refused("is not that of the first certificate", chain, pem(bob.key()));
    refused("cannot be used with its certificate", chain, pem(GRID.issue(new Wish().key("RSA", 2_048), "O=x").key()));
    refused("has no private key", chain, chain);
    refused("has no certificate", key, key);
    refused("malformed certificate", TestAuthority.pem("CERTIFICATE", new byte[]{1, 2}), key);
    refused("cannot be used", chain, TestAuthority.pem("PRIVATE KEY", new byte[]{1, 2}));
    refused("cannot be used", chain, TestAuthority.pem("DSA PRIVATE KEY", new byte[]{1, 2}));
    refused("is encrypted", chain, TestAuthority.pem("ENCRYPTED PRIVATE KEY", new byte[]{1, 2}));
    refused("is encrypted", chain,
        key.replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n"));
    refused("more than 1048576 bytes", chain + "x".repeat(1 << 20), key);
    Path open = file("open.pem", alice.pem());
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> ClientCertificate.file(open)).hasMessageContaining("chmod 600 " + open);
    assertThatThrownBy(() -> ClientCertificate.file(temporary.resolve("none")))
        .hasMessageContaining("there is no file");
    ClientCertificate own = ClientCertificate.file(file("own.pem", alice.pem()));
    assertThatThrownBy(() -> TlsTrust.of(SSLContext.getDefault()).presenting(own))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> RnsClient.builder().clientCertificate(open, open)).isInstanceOf(RnsException.class);
  }

  private void refused(String why, String chain, String key) {
    assertThatThrownBy(() -> files(chain, key)).isInstanceOf(RnsException.class).hasMessageContaining(why)
        .message().doesNotContain(key.substring(40, Math.min(80, key.length())));
  }
}
