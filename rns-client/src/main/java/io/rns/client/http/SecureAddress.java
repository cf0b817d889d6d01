package io.rns.client.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.util.List;

/** Addresses at which secrets may be sent and keys be had. */
public final class SecureAddress {
  private SecureAddress() {}

  /** Whether an address is one of HTTPS. */
  public static boolean isHttps(URI address) {
    return "https".equalsIgnoreCase(address.getScheme());
  }

  /**
   * Whether a client of one server goes on to another, of which that one told: only by HTTPS if it came by HTTPS. It
   * sends its credential, and whoever reads the network must not get it.
   */
  public static boolean isFollowed(URI from, URI to) {
    return isHttps(to) || !isHttps(from);
  }

  /**
   * Checks that the servers that get a credential are of HTTPS, or none of them is.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if only some are
   */
  public static void requireAlike(List<URI> servers) {
    if (servers.stream().map(SecureAddress::isHttps).distinct().count() > 1) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "some of the servers " + servers + " have HTTPS, others not: a credential would be sent in clear");
    }
  }

  /**
   * Whether no one on the way can replace what an address returns, or read what it is sent: https, or http on this
   * machine. Without user and fragment, so that names that begin with it are unambiguous.
   */
  public static boolean isSecure(URI address) {
    String host = address.getHost();
    if (host == null || address.getRawUserInfo() != null || address.getRawFragment() != null) {
      return false;
    }
    boolean local = host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
    return isHttps(address) || ("http".equalsIgnoreCase(address.getScheme()) && local);
  }
}
