package io.rns.client;

import java.net.URI;
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

  /**
   * The same for a request to a server; this is what requests are sent with.
   *
   * @param server an address of the server
   * @throws io.rns.error.RnsException if that server must not see it: the request is not sent, and the server counts as
   *         one that cannot be reached if the error is {@link io.rns.error.RnsError#UNAVAILABLE}
   */
  default Optional<String> authorization(URI server, Optional<String> refused) {
    return authorization(refused);
  }
}
