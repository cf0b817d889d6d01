package io.rns.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * The distance of a pool element: a one-way delay, rounded when measured so that noise does not reorder a pool.
 *
 * @param millis milliseconds, 0 or more
 */
public record Distance(int millis) implements Comparable<Distance> {
  /** A negligible distance. */
  public static final Distance NONE = new Distance(0);

  /** Measured delays are rounded to multiples of this, in ms. */
  public static final int STEP_MILLIS = 50;

  /**
   * Checks the bound.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public Distance {
    if (millis < 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a distance of " + millis + " ms is negative");
    }
  }

  /** Half of a measured round trip, to the nearest step. */
  public static Distance ofRoundTrip(int roundTripMillis) {
    long steps = Math.floorDiv(roundTripMillis / 2L + STEP_MILLIS / 2, STEP_MILLIS);
    return new Distance(Math.toIntExact(steps * STEP_MILLIS));
  }

  /** The total distance of two legs, for example element to home registrar and on to this one. */
  public Distance plus(Distance other) {
    return new Distance((int) Math.min(Integer.MAX_VALUE, (long) millis + other.millis));
  }

  @Override
  public int compareTo(Distance other) {
    return Integer.compare(millis, other.millis);
  }
}
