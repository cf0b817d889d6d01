package io.rns.identity;

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
      if (!isSafe(URI.create(issuer))) {
        throw new IllegalArgumentException("'" + issuer + "' is no https address (http only on this machine)");
      }
    }
    if (!issuers.isEmpty() && audiences.isEmpty()) {
      throw new IllegalArgumentException("with issuers, an audience is needed: tokens for other services must not do");
    }
  }

  /**
   * Whether nobody on the way can replace what an address returns, and names that begin with it are unambiguous:
   * without a fragment.
   */
  static boolean isSafe(URI address) {
    String host = address.getHost();
    if (host == null || address.getRawUserInfo() != null || address.getRawFragment() != null) {
      return false;
    }
    boolean local = host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
    return "https".equalsIgnoreCase(address.getScheme()) || ("http".equalsIgnoreCase(address.getScheme()) && local);
  }
}
