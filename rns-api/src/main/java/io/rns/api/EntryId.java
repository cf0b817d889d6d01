package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * The identity of an entry: unique over all server groups, given once and never changed, also when the entry moves.
 *
 * @param value the server group that made it in the upper 16 bits, a number of that group in the lower 48; positive
 */
public record EntryId(long value) {
  /** The directory at the top of the tree. */
  public static final EntryId ROOT = new EntryId(1);

  private static final int DIGITS = 16;

  /**
   * Reads the text form: 16 hexadecimal digits.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static EntryId parse(String text) {
    try {
      if (text.length() == DIGITS) {
        long value = Long.parseLong(text, 16);
        if (value > 0) {
          return new EntryId(value);
        }
      }
    } catch (NumberFormatException e) {
      throw refused(text, e);
    }
    throw refused(text, null);
  }

  private static RnsException refused(String text, @org.jspecify.annotations.Nullable Exception cause) {
    return new RnsException(
        RnsError.INVALID_REQUEST, "entry id '" + Text.shown(text) + "' is not 16 hexadecimal digits above zero", cause);
  }

  /** The text form. */
  @Override
  public String toString() {
    String hex = Long.toHexString(value);
    return "0".repeat(DIGITS - hex.length()) + hex;
  }
}
