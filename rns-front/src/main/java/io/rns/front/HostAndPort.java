package io.rns.front;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses as options have them. Stateless. */
final class HostAndPort {
  private static final Pattern TEXT = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9.-]+):([0-9]{1,5})");
  private static final int LARGEST = 65_535;

  private HostAndPort() {}

  /**
   * Reads {@code HOST:PORT}, and resolves it.
   *
   * @param option for errors
   * @throws IllegalArgumentException if it is none
   */
  static InetSocketAddress of(String option, String text) {
    Matcher matcher = TEXT.matcher(text);
    int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
    if (port < 1 || port > LARGEST) {
      throw new IllegalArgumentException(option + " must be HOST:PORT, not '" + text + "'");
    }
    InetSocketAddress address = new InetSocketAddress(matcher.group(1), port);
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(option + " names an unknown host: " + text);
    }
    return address;
  }
}
