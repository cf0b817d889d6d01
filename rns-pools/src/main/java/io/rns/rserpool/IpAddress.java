package io.rns.rserpool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * An IP address (RFC 5354, sections 3.1 and 3.2).
 *
 * @param octets 4 bytes for IPv4 or 16 for IPv6, in network order
 */
public record IpAddress(Octets octets) {
  static final int V4_BYTES = 4;
  static final int V6_BYTES = 16;

  /**
   * Checks the length.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public IpAddress {
    if (octets.length() != V4_BYTES && octets.length() != V6_BYTES) {
      throw new RnsException(RnsError.INVALID_REQUEST, "an address has 4 or 16 bytes, not " + octets.length());
    }
  }

  boolean isV4() {
    return octets.length() == V4_BYTES;
  }
}
