package io.rns.loadtest.measure;

import java.time.Duration;

/**
 * How long a load runs.
 *
 * @param warmUp how long requests are sent before they count
 * @param measured how long they count after that; requests that run at its end are waited for but do not count
 */
public record Schedule(Duration warmUp, Duration measured) {
  public Schedule {
    if (warmUp.isNegative() || measured.isNegative() || measured.isZero()) {
      throw new IllegalArgumentException("warm-up " + warmUp + " or measured time " + measured + " is not possible");
    }
  }

  /** Everything counts, until there are no more requests or the bound is reached. */
  public static Schedule untilDone(Duration bound) {
    return new Schedule(Duration.ZERO, bound);
  }
}
