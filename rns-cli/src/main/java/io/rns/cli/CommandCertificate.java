package io.rns.cli;

import io.rns.client.http.ClientCertificate;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.file.PrivateFile;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the certificate of a command, as tools of the grid do. The first of these: files that were named ({@code
 * --cert}, {@code --key}); a proxy in {@code X509_USER_PROXY}; {@code X509_USER_CERT} with {@code X509_USER_KEY}; a
 * proxy in {@code /tmp/x509up_u$UID}, if it is the user's and has not expired.
 */
final class CommandCertificate {
  private static final String CERTIFICATE = "X509_USER_CERT";
  private static final String KEY = "X509_USER_KEY";

  private final Map<String, String> environment;
  private final @Nullable Path certificate;
  private final @Nullable Path key;
  private final Path temporary;
  private final InstantSource clock;

  /**
   * The places to look at.
   *
   * @param certificate of the option; null if it was not given
   * @param key of the option; null if the other file has it
   * @param temporary the directory where tools leave proxies: {@code /tmp}
   */
  CommandCertificate(
      Map<String, String> environment, @Nullable Path certificate, @Nullable Path key, Path temporary,
      InstantSource clock) {
    this.environment = environment;
    this.certificate = certificate;
    this.key = key;
    this.temporary = temporary;
    this.clock = clock;
  }

  /**
   * The certificate, if there is one.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if one that was named cannot be used or has expired
   */
  Optional<ClientCertificate> find() {
    if (certificate != null || key != null) {
      return Optional.of(named(certificate, key, "--cert", "--key"));
    }
    Path proxy = variable("X509_USER_PROXY");
    if (proxy != null) {
      return Optional.of(valid(ClientCertificate.file(proxy), proxy));
    }
    Path user = variable(CERTIFICATE);
    Path userKey = variable(KEY);
    if (user != null || userKey != null) {
      return Optional.of(named(user, userKey, CERTIFICATE, KEY));
    }
    return PrivateFile.user().map(number -> temporary.resolve("x509up_u" + number))
        .filter(file -> new PrivateFile(file).isOwn())
        .map(ClientCertificate::file)
        .filter(found -> found.expiry().isAfter(clock.instant()));
  }

  private @Nullable Path variable(String name) {
    String value = environment.getOrDefault(name, "").strip();
    return value.isEmpty() ? null : Path.of(value);
  }

  private ClientCertificate named(@Nullable Path chain, @Nullable Path keyFile, String ofChain, String ofKey) {
    if (chain == null) {
      throw new RnsException(RnsError.INVALID_REQUEST, ofKey + " is given without " + ofChain);
    }
    return valid(ClientCertificate.files(chain, keyFile == null ? chain : keyFile), chain);
  }

  private ClientCertificate valid(ClientCertificate found, Path file) {
    if (!found.expiry().isAfter(clock.instant())) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "the certificate in '" + file + "' expired at " + found.expiry() + "; renew it");
    }
    return found;
  }
}
