package io.rns.client;

import java.time.Duration;

/**
 * How often and when a call is repeated. The pause before each repetition is random between zero and a bound that
 * doubles (full jitter), so that clients that failed together do not come back together.
 *
 * @param attempts the most attempts of one call, the first included
 * @param deadline the most time of one call, pauses included
 * @param firstPause the bound of the first pause
 * @param longestPause what the bound grows to
 */
record RetryPolicy(int attempts, Duration deadline, Duration firstPause, Duration longestPause) {
  private static final int MOST_DOUBLINGS = 30;

  /** The bound, in nanoseconds, of the pause after {@code attempts} attempts. */
  long pauseBound(int attempts) {
    long doubled = firstPause.toNanos() << Math.min(attempts - 1, MOST_DOUBLINGS);
    return doubled <= 0 ? longestPause.toNanos() : Math.min(doubled, longestPause.toNanos());
  }
}
