package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Makes a write safe to retry: the service applies one id once and repeats its answer. Ids are kept for at least 24
 * hours.
 *
 * @param text 1 to {@value Limits#REQUEST_ID_CHARS} visible ASCII characters
 */
public record RequestId(String text) {
  public RequestId {
    Limits.check("request id", text.length(), Limits.REQUEST_ID_CHARS, "characters");
    if (text.isEmpty() || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "request id '" + Text.shown(text) + "' has characters other than visible ASCII");
    }
  }

  /**
   * A new unique id: the time in milliseconds, then 80 random bits. The leading time keeps consecutive ids adjacent in
   * the index of the store.
   */
  public static RequestId random() {
    UUID random = UUID.randomUUID();
    HexFormat hex = HexFormat.of();
    return new RequestId(
        hex.toHexDigits(System.currentTimeMillis(), 12)
            + hex.toHexDigits(random.getLeastSignificantBits())
            + hex.toHexDigits((short) random.getMostSignificantBits()));
  }

  @Override
  public String toString() {
    return text;
  }
}
