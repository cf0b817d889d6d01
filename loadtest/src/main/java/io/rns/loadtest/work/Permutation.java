package io.rns.loadtest.work;

import java.math.BigInteger;

/** The numbers from 0 to {@code size - 1} in an order that jumps about and meets each of them once. */
public record Permutation(long size, long step, long start) {
  private static final double GOLDEN = 0.6180339887498949;

  public static Permutation of(long size, long start) {
    long step = Math.max(1, (long) (size * GOLDEN));
    while (!BigInteger.valueOf(step).gcd(BigInteger.valueOf(size)).equals(BigInteger.ONE)) {
      step++;
    }
    return new Permutation(size, step, start);
  }

  public long at(long index) {
    return (start + index % size * step) % size;
  }
}
