package io.rns.loadtest.http;

import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A request in which numbers change from one time to the next, written over each other in place. For one thread.
 */
public final class MessageTemplate {
  private static final int DIGITS = 12;
  /** Stands where a number goes. */
  public static final String PLACEHOLDER = "@".repeat(DIGITS);
  private static final long ABOVE_ALL = 1_000_000_000_000L;

  private final byte[] bytes;
  private final int[] slots;
  private final int slotsPerNumber;

  /** {@code slotsPerNumber} neighbouring placeholders get the same number, the next ones the next. */
  public MessageTemplate(byte[] request, int slotsPerNumber) {
    bytes = request.clone();
    String text = new String(request, StandardCharsets.ISO_8859_1);
    slots = Pattern.compile(PLACEHOLDER).matcher(text).results().mapToInt(MatchResult::start).toArray();
    this.slotsPerNumber = slotsPerNumber;
    if (slots.length == 0 || slots.length % slotsPerNumber != 0) {
      throw new IllegalArgumentException(slots.length + " placeholders are no multiple of " + slotsPerNumber);
    }
  }

  /** The request with {@code first} and its successors, valid until the next call. */
  public byte[] with(long first) {
    for (int i = 0; i < slots.length; i++) {
      long rest = first + i / slotsPerNumber;
      for (int at = slots[i] + DIGITS - 1; at >= slots[i]; at--) {
        bytes[at] = (byte) ('0' + rest % 10);
        rest /= 10;
      }
    }
    return bytes;
  }

  /** A number as it is written in requests: as long as {@link #PLACEHOLDER}, with leading zeros. */
  public static String digits(long number) {
    return Long.toString(ABOVE_ALL + number).substring(1);
  }
}
