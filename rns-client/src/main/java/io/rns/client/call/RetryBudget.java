package io.rns.client.call;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits retries to a share of all calls, plus a burst after idle periods, so that retries do not multiply the load of
 * servers that are busy or gone. Safe for use by many threads.
 */
public final class RetryBudget {
  /** One retry, in the units that are counted. */
  private static final long RETRY = 1_000;

  private final long share;
  private final long most;
  private final AtomicLong left;

  /**
   * A full budget.
   *
   * @param share retries that each call earns, in steps of a thousandth
   * @param burst retries that are saved up at most
   */
  public RetryBudget(double share, int burst) {
    this.share = Math.round(share * RETRY);
    this.most = burst * RETRY;
    this.left = new AtomicLong(most);
  }

  /** A call begins. */
  public void earn() {
    // Nearly always full, and then nothing is written.
    if (left.get() < most) {
      left.accumulateAndGet(share, (now, earned) -> Math.min(most, now + earned));
    }
  }

  /** Whether a retry is left. */
  public boolean isLeft() {
    return left.get() >= RETRY;
  }

  /** Takes a retry; false if none is left. */
  public boolean take() {
    long before = left.getAndUpdate(now -> now < RETRY ? now : now - RETRY);
    return before >= RETRY;
  }
}
