package io.rns.xml;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Strict UTF-8 validation: the parser would accept overlong forms and code points that do not exist. */
final class Utf8 {
  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  /** The index of the first invalid byte among the first {@code length}, or -1. */
  static int firstBad(byte[] bytes, int length) {
    int i = 0;
    while (i < length) {
      if (length - i >= Long.BYTES && ((long) LONGS.get(bytes, i) & HIGH_BITS) == 0) {
        i += Long.BYTES;
      } else if (bytes[i] >= 0) {
        i++;
      } else {
        int size = size(bytes, i, length);
        if (size == 0) {
          return i;
        }
        i += size;
      }
    }
    return -1;
  }

  /** The size of the well-formed multi-byte sequence at {@code i}; 0 if there is none. */
  private static int size(byte[] bytes, int i, int length) {
    int first = bytes[i] & 0xff;
    int size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || length - i < size) {
      return 0;
    }
    // Some lead bytes restrict the second byte: overlong forms, surrogates, the end of Unicode.
    int low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    int high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    int second = bytes[i + 1] & 0xff;
    if (second < low || second > high) {
      return 0;
    }
    for (int k = i + 2; k < i + size; k++) {
      if ((bytes[k] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return size;
  }
}
