package io.rns.network;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A multicast group on one network interface: {@code 239.0.0.50%eth0} or {@code ff05::133%eth0}.
 *
 * @param address of the group
 * @param interfaceName the network interface by which it is reached, up to 15 characters
 */
public record MulticastGroup(InetAddress address, String interfaceName) {
  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";
  private static final Pattern TEXT =
      Pattern.compile("(" + OCTET + "(?:\\." + OCTET + "){3}|[0-9a-fA-F.]*:[0-9a-fA-F:.]*)%([^%/\\s]{1,15})");

  /**
   * Reads a group; nothing is looked up.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static MulticastGroup parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (parts.matches()) {
      try {
        InetAddress address = InetAddress.getByName(parts.group(1));
        if (address.isMulticastAddress()) {
          return new MulticastGroup(address, parts.group(2));
        }
      } catch (UnknownHostException e) {
        throw invalid(text, e);
      }
    }
    throw invalid(text, null);
  }

  private static RnsException invalid(String text, @Nullable UnknownHostException cause) {
    return new RnsException(RnsError.INVALID_REQUEST,
        "'" + text + "' is not a multicast address and an interface, such as 239.0.0.50%eth0", cause);
  }

  /**
   * The interface.
   *
   * @throws IOException if this host has none of that name
   */
  public NetworkInterface network() throws IOException {
    NetworkInterface found = NetworkInterface.getByName(interfaceName);
    if (found == null) {
      throw new IOException("this host has no network interface " + interfaceName);
    }
    return found;
  }

  @Override
  public String toString() {
    return address.getHostAddress() + "%" + interfaceName;
  }
}
