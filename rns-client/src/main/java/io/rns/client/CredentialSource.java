package io.rns.client;

import java.util.Optional;

/**
 * Supplies the credential of a client. Called for every request, by many threads at a time, so it should return what it
 * has, and renew that in time.
 *
 * <p>A credential goes to the servers that the client was given, and to those that these refer it to. It does not go to
 * other services that endpoint references lead to.
 */
@FunctionalInterface
public interface CredentialSource {
  /** No credential: the client is anonymous. */
  CredentialSource NONE = refused -> Optional.empty();

  /**
   * The value of the {@code Authorization} header: {@code Bearer TOKEN}, or {@code Basic ...}.
   *
   * @param refused the value that a server has just refused; empty if none was. A request is repeated once if another
   *        value is returned then.
   * @return empty for no credential
   */
  Optional<String> authorization(Optional<String> refused);
}
