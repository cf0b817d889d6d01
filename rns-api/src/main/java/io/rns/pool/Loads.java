package io.rns.pool;

/** Saturating sums of loads. */
final class Loads {
  private Loads() {}

  /** The load added by a number of selections; saturates. */
  static long degradation(SelectionState standing, long selections) {
    return times(standing.parameters().loadDegradation(), selections);
  }

  /** The load equivalent of the distance; saturates. */
  static long distance(SelectionState standing) {
    return times(standing.parameters().distanceFactor(), standing.distance().millis());
  }

  /** The sum of two non-negative numbers; saturates. */
  static long plus(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Limits a load to 100 %. */
  static long capped(long load) {
    return Math.min(Parameters.FULL, load);
  }

  private static long times(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }
}
