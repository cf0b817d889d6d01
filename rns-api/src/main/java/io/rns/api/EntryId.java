package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.HexFormat;

/**
 * The identity of an entry: unique across all server groups, assigned once, preserved when the entry moves.
 *
 * @param value a positive number; the upper 16 bits hold the server group that created the entry, the lower 48 a number
 *        unique in that group
 */
public record EntryId(long value) {
  /** The root directory. */
  public static final EntryId ROOT = new EntryId(1);

  private static final int DIGITS = 16;
  private static final int GROUP_SHIFT = 48;

  public EntryId {
    if (value <= 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "entry id " + value + " is not above zero");
    }
  }

  /**
   * Parses 16 hexadecimal digits.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static EntryId parse(String text) {
    long value = 0;
    // Character.digit and Long.parseLong accept the digits of every script.
    boolean ofDigits = text.length() == DIGITS;
    for (int i = 0; ofDigits && i < DIGITS; i++) {
      ofDigits = HexFormat.isHexDigit(text.charAt(i));
    }
    if (ofDigits) {
      value = HexFormat.fromHexDigitsToLong(text);
    }
    if (value <= 0) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "entry id '" + Text.shown(text) + "' is not 16 hexadecimal digits above zero");
    }
    return new EntryId(value);
  }

  /** The server group that created the entry. */
  public int group() {
    return (int) (value >>> GROUP_SHIFT);
  }

  /** The text form: 16 hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(value);
  }
}
