package io.rns.identity;

import io.rns.client.http.SecureAddress;
import java.net.URI;
import java.util.Set;

/**
 * Whose tokens a server accepts.
 *
 * @param issuers as the claim {@code iss} has them
 * @param audiences of which a token must have one
 */
public record IssuerSettings(Set<String> issuers, Set<String> audiences) {
  /** No issuer. */
  public static final IssuerSettings NONE = new IssuerSettings(Set.of(), Set.of());

  /**
   * Checks that tokens are bound to this service.
   *
   * @throws IllegalArgumentException if there are issuers without an audience, or an issuer is not reached safely
   */
  public IssuerSettings {
    issuers = Set.copyOf(issuers);
    audiences = Set.copyOf(audiences);
    for (String issuer : issuers) {
      if (!SecureAddress.isSecure(URI.create(issuer))) {
        throw new IllegalArgumentException("'" + issuer + "' is no https address (http only on this machine)");
      }
    }
    if (!issuers.isEmpty() && audiences.isEmpty()) {
      throw new IllegalArgumentException("with issuers, an audience is needed: tokens for other services must not do");
    }
  }
}
