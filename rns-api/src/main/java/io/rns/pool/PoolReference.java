package io.rns.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The endpoint reference that denotes a pool in a junction. Its address is {@code urn:rns:pool:} followed by the
 * handle, in which every UTF-8 byte except {@code /} and the unreserved characters of RFC 3986 is percent-encoded.
 */
public final class PoolReference {
  private static final String PREFIX = "urn:rns:pool:";
  private static final int HEX = 16;

  private PoolReference() {}

  /**
   * The reference of a pool.
   *
   * @throws RnsException {@link RnsError#INVALID_PATH} for the root, which is not a valid handle;
   *         {@link RnsError#LIMIT_EXCEEDED} if the encoded handle exceeds the length of a reference
   */
  public static EndpointReference of(RnsPath handle) {
    if (handle.isRoot()) {
      throw new RnsException(RnsError.INVALID_PATH, "path '/' is not the handle of a pool");
    }
    StringBuilder address = new StringBuilder(PREFIX);
    for (byte octet : handle.toString().getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (octet & 0xff);
      if (isPlain(c)) {
        address.append(c);
      } else {
        address.append(String.format("%%%02X", (int) c));
      }
    }
    return EndpointReference.ofAddress(address.toString());
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "/-._~".indexOf(c) >= 0;
  }

  /** The handle of the pool that a reference denotes; empty for every other reference, including similar ones. */
  public static Optional<RnsPath> handle(EndpointReference reference) {
    String address = reference.address();
    if (!address.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
      return Optional.empty();
    }
    try {
      RnsPath handle = RnsPath.parse(decoded(address.substring(PREFIX.length())));
      return handle.isRoot() ? Optional.empty() : Optional.of(handle);
    } catch (RnsException | CharacterCodingException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static String decoded(String text) throws CharacterCodingException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer octets = ByteBuffer.allocate(utf8.length);
    for (int i = 0; i < utf8.length; i++) {
      if (utf8[i] == '%') {
        octets.put((byte) (digit(utf8, i + 1) * HEX + digit(utf8, i + 2)));
        i += 2;
      } else {
        octets.put(utf8[i]);
      }
    }
    return StandardCharsets.UTF_8.newDecoder().decode(octets.flip()).toString();
  }

  private static int digit(byte[] text, int at) {
    int value = at < text.length ? Character.digit(text[at], HEX) : -1;
    if (value < 0) {
      throw new NumberFormatException("no hexadecimal digit at " + at);
    }
    return value;
  }
}
