package io.rns.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.issuer.TestKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a client's certificates gets through the guard. */
@Timeout(60)
class ClientChainTest {
  private static final Duration HEAD = Duration.ofSeconds(30);

  @TempDir private static Path directory;
  private static GuardedServer.Tls tls;
  private static TestKey client;
  private static TestKey other;
  private static TestKey third;
  private static TestKey large;
  private GuardedServer server;

  @BeforeAll
  static void makeKeys() throws Exception {
    tls = GuardedServer.Tls.make(directory);
    client = TestKey.make(Files.createDirectory(directory.resolve("client")), "EC", 256);
    other = TestKey.make(Files.createDirectory(directory.resolve("other")), "RSA", 2_048);
    third = TestKey.make(Files.createDirectory(directory.resolve("third")), "EC", 256);
    large = TestKey.makeLarge(Files.createDirectory(directory.resolve("large")), 9_000);
  }

  @BeforeEach
  void start() throws IOException {
    server = new GuardedServer(16, HEAD, tls, true);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Presents what it is given, and counts how often it was asked. */
  private static final class Presenter extends X509ExtendedKeyManager {
    private final X509Certificate[] chain;
    private final PrivateKey key;
    private final AtomicInteger asked = new AtomicInteger();

    Presenter(List<X509Certificate> chain, PrivateKey key) {
      this.chain = chain.toArray(X509Certificate[]::new);
      this.key = key;
    }

    @Override
    public String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      asked.incrementAndGet();
      return "client";
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }

    @Override
    public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
      return new String[]{"client"};
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      return null;
    }
  }

  private SSLContext context(@Nullable Presenter presenter) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    KeyManager[] keys = presenter == null ? null : new KeyManager[]{presenter};
    context.init(keys, new TrustManager[]{tls.trust()}, null);
    return context;
  }

  private Presenter own() throws Exception {
    return new Presenter(List.of(client.x509(), other.x509()), client.key());
  }

  private SSLSocket connect(SSLContext context, String protocol) throws IOException {
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory()
            .createSocket(server.connectPlainly(), "127.0.0.1", server.port(), true);
    socket.setEnabledProtocols(new String[]{protocol});
    socket.startHandshake();
    return socket;
  }

  /** What the container finds, by a request on a connection that stays open. */
  private static String chain(SSLSocket socket) throws IOException {
    return chain(socket, "");
  }

  private static String chain(SSLSocket socket, String headers) throws IOException {
    socket.getOutputStream()
        .write(("GET /rns/chain HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n").getBytes(StandardCharsets.US_ASCII));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII), 1);
    int length = 0;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      if (line.startsWith("Content-Length: ")) {
        length = Integer.parseInt(line.substring(16));
      }
    }
    char[] body = new char[length];
    for (int i = 0; i < length; i++) {
      body[i] = (char) in.read();
    }
    return new String(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void theChainIsThereForEachRequest(String protocol) throws Exception {
    String expected = client.x509().getSerialNumber() + " " + other.x509().getSerialNumber();
    try (SSLSocket socket = connect(context(own()), protocol)) {
      assertThat(chain(socket)).isEqualTo(expected);
      assertThat(chain(socket)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aClientNeedsNoCertificate(String protocol) throws Exception {
    try (SSLSocket socket = connect(context(null), protocol)) {
      assertThat(chain(socket)).isEqualTo("none");
      assertThat(chain(socket, "io.rns.guard.ClientChain: x\r\njakarta.servlet.request.X509Certificate: x\r\n"))
          .isEqualTo("none");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aResumedSessionHasTheChainThatItBeganWith(String protocol) throws Exception {
    Presenter presenter = own();
    SSLContext context = context(presenter);
    String expected = client.x509().getSerialNumber() + " " + other.x509().getSerialNumber();
    long began;
    try (SSLSocket first = connect(context, protocol)) {
      assertThat(chain(first)).isEqualTo(expected);
      began = first.getSession().getCreationTime();
    }
    try (SSLSocket second = connect(context, protocol)) {
      SSLSession session = second.getSession();
      assertThat(chain(second)).isEqualTo(expected);
      assertThat(session.getCreationTime()).as("of a resumed session").isEqualTo(began);
      assertThat(presenter.asked).hasValue(1);
    }
    // Another client does not get into it.
    try (SSLSocket third = connect(context(null), protocol)) {
      assertThat(chain(third)).isEqualTo("none");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aChainWithoutItsKeyEndsTheConnection(String protocol) throws Exception {
    refused(new Presenter(List.of(client.x509()), third.key()), protocol);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void chainsThatAreTooLongEndTheConnection(String protocol) throws Exception {
    List<X509Certificate> chain = new ArrayList<>(List.of(client.x509()));
    chain.addAll(Collections.nCopies(AnyClientChain.MOST_CERTIFICATES - 1, other.x509()));
    try (SSLSocket socket = connect(context(new Presenter(chain, client.key())), protocol)) {
      assertThat(chain(socket).split(" ", -1)).hasSize(AnyClientChain.MOST_CERTIFICATES);
    }
    chain.add(other.x509());
    refused(new Presenter(chain, client.key()), protocol);
    chain.addAll(Collections.nCopies(100, other.x509()));
    refused(new Presenter(chain, client.key()), protocol);
  }

  private void refused(Presenter presenter, String protocol) throws Exception {
    int before = server.reached.size();
    // With TLS 1.3 the client's handshake is over before the server has seen its certificate.
    String answer;
    try (SSLSocket socket = connect(context(presenter), protocol)) {
      answer = chain(socket);
    } catch (IOException e) {
      answer = "";
    }
    assertThat(answer).isEmpty();
    assertThat(server.reached).hasSize(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void chainsThatAreTooLargeEndTheConnection(String protocol) throws Exception {
    assertThat(large.x509().getEncoded()).hasSizeBetween(9_000, 10_000);
    try (SSLSocket socket =
        connect(context(new Presenter(Collections.nCopies(3, large.x509()), large.key())), protocol)) {
      assertThat(chain(socket).split(" ", -1)).hasSize(3);
    }
    // Java's TLS takes messages of up to 32 KiB.
    refused(new Presenter(Collections.nCopies(4, large.x509()), large.key()), protocol);
  }

  @Test
  void withoutTheSettingNoCertificateIsAskedFor() throws Exception {
    server.close();
    server = new GuardedServer(16, HEAD, tls);
    Presenter presenter = own();
    try (SSLSocket socket = connect(context(presenter), "TLSv1.3")) {
      assertThat(chain(socket)).isEqualTo("none");
    }
    assertThat(presenter.asked).hasValue(0);
  }
}
