package io.rns.pool;

/** Sums of loads, which stop at a bound instead of wrapping around. */
final class Loads {
  private Loads() {}

  /** The load that so many selections add; saturates. */
  static long degradation(SelectionState standing, long selections) {
    return times(standing.parameters().loadDegradation(), selections);
  }

  /** The load that the distance counts for; saturates. */
  static long distance(SelectionState standing) {
    return times(standing.parameters().distanceFactor(), standing.distance().millis());
  }

  /** A sum of two that are not negative; saturates. */
  static long plus(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** At most 100 %. */
  static long capped(long load) {
    return Math.min(Parameters.FULL, load);
  }

  private static long times(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }
}
