package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.client.http.ClientCertificate;
import io.rns.error.RnsException;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandCertificateTest {
  private static final TestAuthority GRID = TestAuthority.make("O=test", "CN=Grid CA");

  @TempDir private Path directory;
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  private Optional<Instant> found(Map<String, String> environment, @Nullable Path certificate, @Nullable Path key) {
    return new CommandCertificate(environment, certificate, key, directory, InstantSource.system()).find()
        .map(ClientCertificate::expiry);
  }

  /** A certificate that is told by when it expires. */
  private Path write(String name, Instant until) throws IOException {
    Credential user = GRID.issue(new Wish().from(now.minusSeconds(9_000)).until(until), "O=test", "CN=Alice");
    Path file = Files.writeString(directory.resolve(name), user.pem());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private Instant in(int hours) {
    return now.plus(Duration.ofHours(hours));
  }

  @Test
  void theFirstCertificateOfTheListIsTaken() throws IOException {
    assertThat(found(Map.of(), null, null)).isEmpty();
    int user = (Integer) Files.getAttribute(directory, "unix:uid");
    write("x509up_u" + user, in(1));
    assertThat(found(Map.of(), null, null)).contains(in(1));
    String cert = write("usercert.pem", in(2)).toString();
    assertThat(found(Map.of("X509_USER_CERT", cert, "X509_USER_KEY", cert), null, null)).contains(in(2));
    assertThat(found(Map.of("X509_USER_CERT", cert), null, null)).contains(in(2));
    Path proxy = write("proxy.pem", in(3));
    Map<String, String> all = Map.of("X509_USER_CERT", cert, "X509_USER_PROXY", proxy.toString());
    assertThat(found(all, null, null)).contains(in(3));
    Path named = write("named.pem", in(4));
    assertThat(found(all, named, null)).contains(in(4));
    assertThat(found(all, named, named)).contains(in(4));
  }

  @Test
  void aProxyThatNobodyNamedIsLeftOutOnceItHasExpired() throws IOException {
    int user = (Integer) Files.getAttribute(directory, "unix:uid");
    Path link = directory.resolve("x509up_u" + user);
    Files.createSymbolicLink(link, write("elsewhere", in(1)));
    assertThat(found(Map.of(), null, null)).as("a link").isEmpty();
    Files.delete(link);
    write("x509up_u" + user, now.minusSeconds(1));
    assertThat(found(Map.of(), null, null)).isEmpty();
  }

  @Test
  void whatIsNamedHasToBeUsable() throws IOException {
    Path expired = write("expired.pem", now.minusSeconds(1));
    assertThatThrownBy(() -> found(Map.of("X509_USER_PROXY", expired.toString()), null, null))
        .isInstanceOf(RnsException.class).hasMessageContaining("expired at " + now.minusSeconds(1));
    assertThatThrownBy(() -> found(Map.of(), expired, null)).hasMessageContaining("renew it");
    assertThatThrownBy(() -> found(Map.of(), null, expired)).hasMessageContaining("--key is given without --cert");
    assertThatThrownBy(() -> found(Map.of("X509_USER_KEY", expired.toString()), null, null))
        .hasMessageContaining("X509_USER_KEY is given without X509_USER_CERT");
    assertThatThrownBy(() -> found(Map.of("X509_USER_PROXY", "/none"), null, null))
        .isInstanceOf(RnsException.class).hasMessageContaining("there is no file");
  }
}
