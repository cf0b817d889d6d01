package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.HexFormat;

/**
 * The identity of an entry: unique over all server groups, given once and never changed, also when the entry moves.
 *
 * @param value the server group that made it in the upper 16 bits, a number of that group in the lower 48; positive
 */
public record EntryId(long value) {
  /** The directory at the top of the tree. */
  public static final EntryId ROOT = new EntryId(1);

  private static final int DIGITS = 16;

  /** Checks the value. */
  public EntryId {
    if (value <= 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "entry id " + value + " is not above zero");
    }
  }

  /**
   * Reads the text form: 16 hexadecimal digits.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static EntryId parse(String text) {
    long value = 0;
    // Character.digit, and with it Long.parseLong, takes the digits of every script.
    boolean ofDigits = text.length() == DIGITS && text.chars().allMatch(HexFormat::isHexDigit);
    if (ofDigits) {
      value = HexFormat.fromHexDigitsToLong(text);
    }
    if (value <= 0) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "entry id '" + Text.shown(text) + "' is not 16 hexadecimal digits above zero");
    }
    return new EntryId(value);
  }

  /** The text form. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(value);
  }
}
