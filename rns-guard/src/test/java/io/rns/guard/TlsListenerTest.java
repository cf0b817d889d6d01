package io.rns.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.issuer.TestKey;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TlsListenerTest {
  @TempDir private Path directory;

  @Test
  void answersPlainHttpWithAHint() throws Exception {
    try (GuardedServer server = new GuardedServer(4, Duration.ofSeconds(30), GuardedServer.Tls.make(directory));
        Socket socket = server.connectPlainly()) {
      socket.getOutputStream().write("GET /rns/a HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 426 Upgrade Required\r\nUpgrade: TLS/").contains("use https://");
      assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4))
          .hasSize(Integer.parseInt(answer.replaceFirst("(?s).*Content-Length: ([0-9]+).*", "$1")));
      assertThat(server.reached).isEmpty();
    }
  }

  @Test
  void closesWhatIsNeitherTlsNorHttp() throws Exception {
    try (GuardedServer server = new GuardedServer(4, Duration.ofSeconds(30), GuardedServer.Tls.make(directory));
        Socket socket = server.connectPlainly()) {
      socket.getOutputStream().write(0);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void changedFilesAreServedOnceTheyFitTogether() throws Exception {
    TestKey before = TestKey.make(directory, "EC", 256);
    Settings.PemFiles files = GuardedServer.Tls.write(before, directory);
    ServedCertificate served = new ServedCertificate(files.chain(), files.key(), false);
    SSLContext first = served.context();
    assertThat(served.getProblem()).isEmpty();

    String oldKey = Files.readString(files.key());
    TestKey after = TestKey.make(directory, "RSA", 2048);
    Settings.PemFiles unused = GuardedServer.Tls.write(after, directory);
    String newKey = Files.readString(files.key());
    Files.writeString(files.key(), oldKey);
    assertThat(served.getProblem()).contains("cannot be used together");
    assertThat(served.context()).isSameAs(first);

    Files.writeString(files.key(), newKey);
    assertThat(served.getProblem()).isEmpty();
    assertThat(served.context()).isNotSameAs(first);
  }

  @Test
  void newConnectionsGetTheNewCertificate() throws Exception {
    GuardedServer.Tls tls = GuardedServer.Tls.make(directory);
    try (GuardedServer server = new GuardedServer(4, Duration.ofSeconds(30), tls)) {
      Certificate before = presented(server.connect());
      TestKey other = TestKey.make(directory, "EC", 256);
      Settings.PemFiles unused = GuardedServer.Tls.write(other, directory);
      assertThat(presented(server.connect())).isEqualTo(before);
      assertThat(server.served().getProblem()).isEmpty();
      SSLSocket renewed =
          (SSLSocket) other.client().getSocketFactory()
              .createSocket(server.connectPlainly(), "127.0.0.1", 1, true);
      renewed.startHandshake();
      assertThat(presented(renewed)).isEqualTo(other.certificate()).isNotEqualTo(before);
    }
  }

  private static Certificate presented(Socket socket) throws IOException {
    try (SSLSocket open = (SSLSocket) socket) {
      return open.getSession().getPeerCertificates()[0];
    }
  }

  @Test
  void doesNotStartWithoutUsableFiles() throws Exception {
    Path none = directory.resolve("none.pem");
    assertThatThrownBy(() -> new ServedCertificate(none, none, false)).isInstanceOf(IOException.class);
    Settings.PemFiles files = GuardedServer.Tls.write(TestKey.make(directory, "EC", 256), directory);
    assertThatThrownBy(() -> new ServedCertificate(files.chain(), files.chain(), false))
        .hasMessageContaining("has no unencrypted key");
    assertThatThrownBy(() -> new ServedCertificate(files.key(), files.key(), false)).isInstanceOf(IOException.class);
  }
}
