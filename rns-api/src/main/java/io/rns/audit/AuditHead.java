package io.rns.audit;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a chain is: a line and its hash. Whoever keeps one elsewhere can find out later whether the log still has all
 * up to it.
 *
 * @param sequence number of the line; 0 before the first one
 * @param hash of the line
 */
public record AuditHead(long sequence, String hash) {
  /** Before the first line. */
  public static final AuditHead NONE = new AuditHead(0, AuditChain.ORIGIN);

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}):([0-9a-f]{64})");

  /**
   * Reads {@code SEQUENCE:HASH}.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is something else
   */
  public static AuditHead parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "'" + text + "' is not SEQUENCE:HASH with a hash of 64 hexadecimal digits");
    }
    return new AuditHead(Long.parseLong(parts.group(1)), parts.group(2));
  }

  /** The text that {@link #parse} reads. */
  @Override
  public String toString() {
    return sequence + ":" + hash;
  }
}
