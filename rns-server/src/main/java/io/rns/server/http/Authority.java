package io.rns.server.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Host and port of a server, as a {@code Host} header or a URL has them.
 *
 * @param host a name in lower case, or an address literal; of IPv6 in brackets
 * @param port empty for the default one of the protocol
 * @param literal whether the host is an address: no name server can make another host of it
 */
record Authority(String host, Optional<Integer> port, boolean literal) {
  /** The longest name of a host, in characters. */
  private static final int NAME_CHARS = 253;

  private static final int MAX_PORT = 0xffff;
  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern IP_4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");
  private static final Pattern IP_6 = Pattern.compile("\\[[0-9a-f:.]{2,45}]");
  private static final String LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
  // A last label of digits would be read as an address by some.
  private static final Pattern NAME = Pattern.compile("(?:" + LABEL + "\\.)*+(?![0-9]+$)" + LABEL);
  private static final Pattern PARTS = Pattern.compile("(\\[[^]]*]|[^:]*)(?::([0-9]{1,5}))?");

  /**
   * Reads what a {@code Host} header has.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  static Authority parse(String text) {
    Matcher parts = PARTS.matcher(text.toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      throw invalid(text);
    }
    Optional<Integer> port = Optional.ofNullable(parts.group(2)).map(Integer::valueOf);
    String host = parts.group(1);
    boolean literal = IP_4.matcher(host).matches() || isIp6(host);
    boolean named = host.length() <= NAME_CHARS && NAME.matcher(host).matches();
    boolean noPort = port.filter(number -> number < 1 || number > MAX_PORT).isPresent();
    if (noPort || !(literal || named)) {
      throw invalid(text);
    }
    return new Authority(host, port, literal);
  }

  /** The bracketed form is looked up nowhere: the address is in it, or it is refused. */
  private static boolean isIp6(String host) {
    if (!IP_6.matcher(host).matches()) {
      return false;
    }
    try {
      return InetAddress.getByName(host) != null;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static RnsException invalid(String text) {
    String shown = text.length() > NAME_CHARS ? text.substring(0, NAME_CHARS) + "..." : text;
    return new RnsException(RnsError.INVALID_REQUEST,
        "'" + shown + "' is not a host, or a host with a port of 1 to 65535");
  }

  /** The text form, which {@link #parse} reads. */
  @Override
  public String toString() {
    return host + port.map(number -> ":" + number).orElse("");
  }
}
