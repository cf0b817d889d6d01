package io.rns.client.http;

import java.net.URI;

/** Addresses at which secrets may be sent and keys be had. */
public final class SecureAddress {
  private SecureAddress() {}

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
    return "https".equalsIgnoreCase(address.getScheme()) || ("http".equalsIgnoreCase(address.getScheme()) && local);
  }
}
