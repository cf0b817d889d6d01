package io.rns.loadtest.work;

import java.math.BigInteger;

/**
 * The numbers from 0 to {@code size - 1} in an order that jumps about and meets each of them once.
 *
 * @param size how many, at least 1
 * @param step from one to the next, without a common divisor with size
 * @param start the first
 */
public record Permutation(long size, long step, long start) {
  private static final double GOLDEN = 0.6180339887498949;

  /** An order that begins with a number. */
  public static Permutation of(long size, long start) {
    long step = Math.max(1, (long) (size * GOLDEN));
    while (!BigInteger.valueOf(step).gcd(BigInteger.valueOf(size)).equals(BigInteger.ONE)) {
      step++;
    }
    return new Permutation(size, step, start);
  }

  /** The number at a place. */
  public long at(long index) {
    return (start + index % size * step) % size;
  }
}
