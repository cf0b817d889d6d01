package io.rns.handlespace;

import io.rns.api.RnsPath;
import java.nio.charset.StandardCharsets;

/**
 * The part of the owners' checksums that all elements of a pool share.
 *
 * @param words the sum of the handle's 16-bit words in network order, padded with zeros to a multiple of four bytes
 * @param bits a 64-bit hash of the handle
 */
record HandleHash(long words, long bits) {
  private static final long FNV_BASIS = 0xcbf2_9ce4_8422_2325L;
  private static final long FNV_PRIME = 0x100_0000_01b3L;

  static HandleHash of(RnsPath handle) {
    byte[] bytes = handle.toString().getBytes(StandardCharsets.UTF_8);
    long words = 0;
    long bits = FNV_BASIS;
    for (int i = 0; i < bytes.length; i++) {
      int value = bytes[i] & 0xff;
      words += i % 2 == 0 ? value << 8 : value;
      bits = (bits ^ value) * FNV_PRIME;
    }
    return new HandleHash(words, bits);
  }

  /** The words of an element: handle and id. */
  long wordsOf(RegisteredElement element) {
    return words + (element.id() >>> 16) + (element.id() & 0xffff);
  }

  /** The hash of an element: handle, id and version, mixed so that sums of hashes distinguish sets. */
  long bitsOf(RegisteredElement element) {
    return mix(mix(bits + element.id()) + element.version());
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * 0xd6e8_feb8_6659_fd93L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xd6e8_feb8_6659_fd93L;
    return mixed ^ (mixed >>> 32);
  }
}
