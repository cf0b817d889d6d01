package io.rns.loadtest.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Some bytes to look for (Horspool's search: most bytes of the text are never looked at). Immutable. */
public final class BytePattern {
  private final byte[] wanted;
  private final int[] skip = new int[256];

  private BytePattern(byte[] wanted) {
    this.wanted = wanted;
    Arrays.fill(skip, wanted.length);
    for (int i = 0; i < wanted.length - 1; i++) {
      skip[wanted[i] & 0xff] = wanted.length - 1 - i;
    }
  }

  /** The UTF-8 bytes of a text that is not empty. */
  public static BytePattern of(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("nothing to look for");
    }
    return new BytePattern(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The first index in {@code from} (inclusive) to {@code to} (exclusive) where the bytes begin, or -1. */
  int find(byte[] text, int from, int to) {
    int last = wanted.length - 1;
    for (int at = from; at + last < to; at += skip[text[at + last] & 0xff]) {
      if (Arrays.equals(text, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return -1;
  }
}
