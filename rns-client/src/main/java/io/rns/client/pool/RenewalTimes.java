package io.rns.client.pool;

import java.util.random.RandomGenerator;

/**
 * When an element registers again, all in milliseconds. Renewals are spread, so that elements that began together do
 * not come together.
 *
 * @param lifetimeMillis how long a registration holds
 */
record RenewalTimes(long lifetimeMillis) {
  private static final int PARTS = 3;
  private static final long SAMPLE = 1_000;
  private static final long SHORTEST_GAP = 2;
  private static final long LONGEST_GAP = 10;
  private static final double REPORTING = 20;
  private static final long FIRST_RETRY = 200;
  private static final int MOST_DOUBLINGS = 10;

  /** Until the next renewal: between a sixth and a third of the lifetime, so that several may fail. */
  long renewal(RandomGenerator random) {
    return leastRenewal() + random.nextLong(Math.max(1, lifetimeMillis / PARTS - leastRenewal()) + 1);
  }

  /** No renewal is needed before this, if nothing has changed. */
  long leastRenewal() {
    return lifetimeMillis / (2 * PARTS);
  }

  /** Until a load is looked at again. */
  long sample(RandomGenerator random) {
    long most = Math.min(SAMPLE, leastRenewal());
    return most / 2 + random.nextLong(most / 2 + 1);
  }

  /**
   * Between two reports, so that a burst of changes is one report, and an element reports for a twentieth of its time
   * at most: registrars that are near and idle hear more often.
   *
   * @param callMillis how long reports have taken lately
   */
  static long leastGap(double callMillis) {
    return Math.max(SHORTEST_GAP, Math.min(LONGEST_GAP, Math.round(REPORTING * callMillis)));
  }

  /**
   * After so many failures in a row, and one more: random up to a bound that doubles, to a third of the lifetime at
   * most.
   */
  long afterFailure(int failures, RandomGenerator random) {
    long bound = Math.min(lifetimeMillis / PARTS, FIRST_RETRY << Math.min(failures, MOST_DOUBLINGS));
    return 1 + random.nextLong(bound);
  }
}
