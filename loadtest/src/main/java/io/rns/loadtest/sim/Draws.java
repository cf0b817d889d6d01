package io.rns.loadtest.sim;

import java.util.random.RandomGenerator;

/** Random times and sizes, the same on every machine for the same generator. */
final class Draws {
  private Draws() {}

  /** Negative exponential. */
  static double exponential(RandomGenerator random, double mean) {
    return -mean * StrictMath.log(1 - random.nextDouble());
  }

  /** Even, from 0 to below the bound; 0 for a bound of 0. */
  static double uniform(RandomGenerator random, double bound) {
    return bound * random.nextDouble();
  }
}
