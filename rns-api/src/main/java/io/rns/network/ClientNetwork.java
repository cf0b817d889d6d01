package io.rns.network;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/**
 * Where a client is, for shares and reports that count by clients: its address, or of IPv6 its network of 64 bits, in
 * which one client may have any address.
 */
public final class ClientNetwork {
  private static final int NETWORK_BYTES = 8;

  private ClientNetwork() {}

  /** The network of an address: {@code 192.0.2.1}, or {@code 20010db800000001/64}. */
  public static String of(InetAddress address) {
    return address instanceof Inet6Address
        ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES) + "/64"
        : address.getHostAddress();
  }

  /**
   * The network of an address as text.
   *
   * @param address literal; anything else is returned as it is, and nothing is looked up
   */
  public static String of(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    try {
      // A text with a colon is a literal address or wrong.
      return of(InetAddress.getByName(address));
    } catch (UnknownHostException e) {
      return address;
    }
  }
}
