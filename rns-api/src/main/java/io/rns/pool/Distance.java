package io.rns.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * How far a pool element is away: a one-way delay. It is rounded when it is measured, so that noise does not reorder a
 * pool.
 *
 * @param millis milliseconds, 0 or more
 */
public record Distance(int millis) implements Comparable<Distance> {
  /** No distance worth mentioning. */
  public static final Distance NONE = new Distance(0);

  /** Measured delays are rounded to multiples of this. */
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

  /** The distance of two legs, such as element to home registrar and on to this one. */
  public Distance plus(Distance other) {
    return new Distance((int) Math.min(Integer.MAX_VALUE, (long) millis + other.millis));
  }

  @Override
  public int compareTo(Distance other) {
    return Integer.compare(millis, other.millis);
  }
}
