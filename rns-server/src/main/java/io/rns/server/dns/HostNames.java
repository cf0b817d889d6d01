package io.rns.server.dns;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/**
 * Names for hosts that have only an address, which SRV needs: {@code 192-0-2-1-MARK.ip4.ZONE}, {@code
 * 2001-db8-0-0-0-0-0-1-MARK.ip6.ZONE}. Any server of the zone reads the address back without having seen it before. The
 * mark can be made only by who knows the secret; otherwise anybody could make a name of this zone lead anywhere.
 */
final class HostNames {
  /** The label above the hosts with addresses of version 4. */
  static final String V4 = "ip4";

  /** The label above the hosts with addresses of version 6. */
  static final String V6 = "ip6";

  private static final String ALGORITHM = "HmacSHA256";
  private static final int MARK_BYTES = 8;
  private static final int V6_GROUPS = 8;

  private final Name zone;
  private final SecretKeySpec key;

  HostNames(Name zone, String secret) {
    this.zone = zone;
    this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  /** The name for an address. */
  Name nameOf(InetAddress address) {
    String parent = address instanceof Inet4Address ? V4 : V6;
    try {
      return new Name(digits(address) + "-" + mark(address) + "." + parent, zone);
    } catch (TextParseException e) {
      throw new IllegalStateException("the zone's name is too long for " + address, e);
    }
  }

  /**
   * The address that a label below {@link #V4} or {@link #V6} names, in small letters; empty if we have not made it.
   */
  Optional<InetAddress> addressOf(String label, String parent) {
    int dash = label.lastIndexOf('-');
    if (dash < 0) {
      return Optional.empty();
    }
    Optional<InetAddress> address = read(label.substring(0, dash), parent.equals(V4));
    return address.filter(
        made -> MessageDigest.isEqual(ascii(label.substring(dash + 1)), ascii(mark(made))));
  }

  private static Optional<InetAddress> read(String digits, boolean v4) {
    String[] parts = digits.split("-", V6_GROUPS + 1);
    byte[] bytes = new byte[v4 ? 4 : 2 * V6_GROUPS];
    int size = v4 ? 1 : 2;
    if (parts.length * size != bytes.length) {
      return Optional.empty();
    }
    try {
      for (int i = 0; i < parts.length; i++) {
        int value = Integer.parseInt(parts[i], v4 ? 10 : 16);
        if (value < 0 || value >= 1 << (8 * size)) {
          return Optional.empty();
        }
        bytes[(i + 1) * size - 1] = (byte) value;
        if (!v4) {
          bytes[i * size] = (byte) (value >> 8);
        }
      }
      InetAddress address = InetAddress.getByAddress(bytes);
      // One name per address: no leading zeros, no version 4 in the clothes of version 6.
      return digits(address).equals(digits) ? Optional.of(address) : Optional.empty();
    } catch (NumberFormatException | UnknownHostException e) {
      return Optional.empty();
    }
  }

  private static String digits(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean v4 = address instanceof Inet4Address;
    StringBuilder digits = new StringBuilder(40);
    for (int i = 0; i < bytes.length; i += v4 ? 1 : 2) {
      int value = bytes[i] & 0xff;
      digits.append(i == 0 ? "" : "-");
      digits.append(v4 ? Integer.toString(value) : Integer.toHexString(value << 8 | (bytes[i + 1] & 0xff)));
    }
    return digits.toString();
  }

  private String mark(InetAddress address) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return HexFormat.of().formatHex(mac.doFinal(address.getAddress()), 0, MARK_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
