package io.rns.loadtest.http;

import java.nio.charset.StandardCharsets;

/**
 * A request in which numbers change from one time to the next, written over each other in place. Not thread-safe; each
 * client takes its own {@link #copy}.
 */
public final class Template {
  /** Stands where a number goes. */
  public static final String PLACEHOLDER = "@@@@@@@@@@@@";

  private static final int DIGITS = PLACEHOLDER.length();
  private static final BytePattern WANTED = BytePattern.of(PLACEHOLDER);

  private final byte[] bytes;
  private final int[] slots;
  private final int slotsPerNumber;

  private Template(byte[] bytes, int[] slots, int slotsPerNumber) {
    this.bytes = bytes;
    this.slots = slots;
    this.slotsPerNumber = slotsPerNumber;
  }

  /**
   * A template of a request with placeholders.
   *
   * @param slotsPerNumber how many neighbouring placeholders get the same number; the next ones get the next
   */
  public static Template of(byte[] request, int slotsPerNumber) {
    int[] slots = WANTED.findAll(request);
    if (slots.length == 0 || slots.length % slotsPerNumber != 0) {
      throw new IllegalArgumentException(slots.length + " placeholders are no multiple of " + slotsPerNumber);
    }
    return new Template(request.clone(), slots, slotsPerNumber);
  }

  /** The same for another thread. */
  public Template copy() {
    return new Template(bytes.clone(), slots, slotsPerNumber);
  }

  /** How many different numbers are in one request. */
  public int numbers() {
    return slots.length / slotsPerNumber;
  }

  /** The request with {@code first} and its successors, valid until the next call. */
  public byte[] with(long first) {
    for (int i = 0; i < slots.length; i++) {
      write(slots[i], first + i / slotsPerNumber);
    }
    return bytes;
  }

  private void write(int slot, long number) {
    long rest = number;
    for (int at = slot + DIGITS - 1; at >= slot; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  /** A number as it is written in requests: {@value #PLACEHOLDER} long, with leading zeros. */
  public static String digits(long number) {
    byte[] text = PLACEHOLDER.getBytes(StandardCharsets.US_ASCII);
    Template single = new Template(text, new int[]{0}, 1);
    return new String(single.with(number), StandardCharsets.US_ASCII);
  }
}
