package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.certificate.CertificateAuthority;
import io.rns.certificate.CertifiedKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalTlsTest {
  @TempDir private Path temporary;
  private DataDirectory data;
  private Instant now = Instant.parse("2026-11-26T12:00:00Z");

  @BeforeEach
  void makeDirectory() {
    data = DataDirectory.create(temporary.resolve("data"));
  }

  private LocalTls prepare(LocalTls.Source source) {
    return LocalTls.prepare(data, source, () -> now);
  }

  private static CertifiedKey served(LocalTls tls) {
    return CertifiedKey.read(tls.certificate(), tls.key());
  }

  @Test
  void makesAnAuthorityAndACertificateOnce() {
    LocalTls tls = prepare(LocalTls.Source.authority(Map.of()));
    assertThat(tls.host()).isEqualTo("127.0.0.1");
    CertifiedKey first = served(tls);
    assertThat(first.names()).containsExactly("127.0.0.1", "localhost");
    assertThat(CertifiedKey.certificates(tls.authority())).containsExactly(first.chain().getLast());
    assertThat(served(prepare(LocalTls.Source.authority(Map.of())))).isEqualTo(first);
  }

  @Test
  void renewsBeforeExpiryAndForOtherNames() {
    LocalTls tls = prepare(LocalTls.Source.authority(Map.of()));
    CertifiedKey first = served(tls);
    now = first.expiry().minus(LocalTls.RENEWAL).minusSeconds(1);
    assertThat(tls.refresh()).isEqualTo(first);
    now = first.expiry().minus(LocalTls.RENEWAL);
    CertifiedKey second = tls.refresh();
    assertThat(second).isNotEqualTo(first).isEqualTo(served(tls));
    assertThat(second.expiry()).isAfter(first.expiry());
    assertThat(second.chain().getLast()).isEqualTo(first.chain().getLast());

    LocalTls.Source named =
        LocalTls.Source.authority(
            Map.of("RNS_HOSTS", "rns.example.org, other.example.org:8443", "RNS_PUBLIC_URL", "https://pub.example/x"));
    assertThat(served(prepare(named)).names())
        .containsExactly("127.0.0.1", "localhost", "rns.example.org", "other.example.org", "pub.example");
  }

  @Test
  void doesNotRenewInVainNearTheEndOfTheAuthority() {
    LocalTls tls = prepare(LocalTls.Source.authority(Map.of()));
    now = served(tls).chain().getLast().getNotAfter().toInstant().minus(Duration.ofDays(3));
    CertifiedKey last = tls.refresh();
    assertThat(tls.refresh()).isEqualTo(last);
  }

  @Test
  void repairsAnInterruptedRenewal() throws Exception {
    LocalTls tls = prepare(LocalTls.Source.authority(Map.of()));
    Files.delete(tls.key());
    assertThat(tls.refresh()).isEqualTo(served(tls));
  }

  @Test
  void takesFilesOfTheUserAndTheirChanges() throws Exception {
    CertificateAuthority other = other();
    Path chain = temporary.resolve("own.pem");
    Path key = temporary.resolve("own.key");
    other.issue(List.of("localhost"), now).write(chain, key);
    LocalTls tls = prepare(LocalTls.Source.files(chain, key));
    assertThat(tls.host()).isEqualTo("localhost");
    assertThat(served(tls)).isEqualTo(CertifiedKey.read(chain, key));
    assertThat(CertifiedKey.certificates(tls.authority())).containsExactly(other.certificate());

    CertifiedKey renewed = other.issue(List.of("localhost"), now);
    renewed.write(chain, key);
    assertThat(tls.refresh()).isEqualTo(renewed).isEqualTo(served(tls));

    // The authority of the data directory is not touched by that.
    assertThat(served(prepare(LocalTls.Source.authority(Map.of()))).leaf()).isNotEqualTo(renewed.leaf());
  }

  @Test
  void refusesFilesThatServeNoClient() throws Exception {
    Path chain = temporary.resolve("own.pem");
    Path key = temporary.resolve("own.key");
    other().issue(List.of("rns.invalid", "*.example.org"), now).write(chain, key);
    assertThatThrownBy(() -> prepare(LocalTls.Source.files(chain, key)))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining("is for rns.invalid, *.example.org, not for 127.0.0.1");
    other().issue(List.of("localhost"), now, Duration.ofDays(1)).write(chain, key);
    now = now.plus(Duration.ofDays(2));
    assertThatThrownBy(() -> prepare(LocalTls.Source.files(chain, key)))
        .isInstanceOf(LocalServiceException.class).hasMessageContaining("expired at");
    assertThat(data.root().resolve("tls/server.pem")).doesNotExist();
  }

  private CertificateAuthority other() {
    return CertificateAuthority.in(temporary.resolve("other.pem"), temporary.resolve("other.key"), now);
  }
}
