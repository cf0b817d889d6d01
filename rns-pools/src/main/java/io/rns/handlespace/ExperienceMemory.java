package io.rns.handlespace;

import io.rns.pool.ElementExperience;
import io.rns.pool.SharedExperience;

/**
 * What users have met at one element: smoothed, and forgotten after a while, so that an element that has recovered is
 * used again, at the price of one user's request that finds out. One user can mislead others only for that long, and
 * only those that have not met the element themselves. Not thread-safe.
 */
final class ExperienceMemory {
  /** How long after the last report a response time is told. */
  static final long KNOWN_MILLIS = 30_000;

  /** How long after a failure an element is to be avoided, unless it answered since. */
  static final long FAILING_MILLIS = 10_000;

  private static final double RISE = 0.5;
  private static final double FALL = 0.2;

  private double millis;
  private long answeredUntil = Long.MIN_VALUE;
  private long failingUntil = Long.MIN_VALUE;

  void add(ElementExperience met, long now) {
    if (!met.answered()) {
      failingUntil = now + FAILING_MILLIS;
      return;
    }
    failingUntil = Long.MIN_VALUE;
    // What takes no measurable time is known all the same.
    double taken = Math.max(1, met.millis());
    millis = now >= answeredUntil ? taken : millis + (taken > millis ? RISE : FALL) * (taken - millis);
    answeredUntil = now + KNOWN_MILLIS;
  }

  SharedExperience shared(long now) {
    return new SharedExperience(
        now < answeredUntil ? Math.round(millis) : 0, now < failingUntil ? failingUntil - now : 0);
  }
}
