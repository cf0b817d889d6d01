package io.rns.client.pool;

/**
 * How many repetitions a user may afford: a share of its calls, and a few in reserve. When much of a pool is gone,
 * users that repeat everything would only make it worse. Safe for use by many threads.
 */
final class PoolRetryBudget {
  private final double share;
  private final double most;
  private double left;

  /**
   * A full budget.
   *
   * @param share repetitions that each call earns
   * @param most what can be saved up
   */
  PoolRetryBudget(double share, double most) {
    this.share = share;
    this.most = most;
    this.left = most;
  }

  /** A call begins. */
  synchronized void earn() {
    left = Math.min(most, left + share);
  }

  /** Takes a repetition; false if there is none left. */
  synchronized boolean take() {
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
