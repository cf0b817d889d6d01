package io.rns.loadtest.pool;

import java.util.random.RandomGenerator;

/** How long requests take, in nanoseconds. */
interface Sizes {
  /** One of them. */
  long draw(RandomGenerator random);

  /** From half of the mean to one and a half, evenly. */
  static Sizes even(long mean) {
    return random -> mean / 2 + random.nextLong(mean + 1);
  }

  /**
   * Most are short, as of a name server that has the answer, and some are long.
   *
   * @param share of the long ones
   */
  static Sizes mixed(long brief, long lengthy, double share) {
    return random -> random.nextDouble() < share ? lengthy : brief;
  }
}
