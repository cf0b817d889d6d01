package io.rns.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How often calls that busy servers have turned away may be repeated: a fifth of all calls in the long run, so that
 * rejections do not multiply the load that they are there to lessen, and a few more after quiet times. Safe for use by
 * many threads.
 */
final class RetryBudget {
  /** Repetitions that are saved up at most. */
  static final int MOST = 20;

  /** So many calls earn one repetition. */
  static final int CALLS = 5;

  private final AtomicLong fifths = new AtomicLong((long) MOST * CALLS);

  /** A call begins. */
  void called() {
    // Nearly always full, and then nothing is written.
    if (fifths.get() < (long) MOST * CALLS) {
      fifths.incrementAndGet();
    }
  }

  /** Takes one repetition, if there is one. */
  boolean take() {
    long left = fifths.get();
    while (left >= CALLS) {
      if (fifths.compareAndSet(left, left - CALLS)) {
        return true;
      }
      left = fifths.get();
    }
    return false;
  }
}
