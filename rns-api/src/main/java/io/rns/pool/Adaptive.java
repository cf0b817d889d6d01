package io.rns.pool;

/**
 * Lowest occupancy: the requests an element holds, plus selections still in transit, plus 1/4 for the next request,
 * divided by its concurrency limit (or by its weight if it reports no limit).
 *
 * <p>With a full count, a fast element would receive requests until it is as slow as an idle slow one: best for this
 * request, but all later requests would pay for it. With no count, an idle slow element would rank equal to an idle
 * fast one. In the simulations of docs/simulator.md, 1/4 was the best of 0.05, 0.25, 0.5, 0.75 and 1.
 */
final class Adaptive implements RankedPolicy {
  /** The weight of the request to be placed, where each existing one counts 1. */
  static final double NEXT = 1.0 / 4;

  @Override
  public PolicyType type() {
    return PolicyType.ADAPTIVE;
  }

  @Override
  public boolean admits(SelectionState standing) {
    return capacity(standing) > 0;
  }

  static long capacity(SelectionState standing) {
    Parameters parameters = standing.parameters();
    long limit = parameters.occupancy().limit();
    return limit > 0 ? limit : parameters.weight();
  }

  @Override
  public long rank(SelectionState standing) {
    long requests = Loads.plus(standing.parameters().occupancy().occupied(), standing.charged());
    // In quarters, with 30 bits of fraction: idle elements with limits of 30,000 and 30,001 still differ; the sum
    // saturates far above that.
    long bounded = Math.min(requests, Long.MAX_VALUE >> 34);
    return ((4 * bounded + 1) << 30) / Math.max(1, capacity(standing));
  }

  @Override
  public SelectionState charge(SelectionState standing) {
    return standing.chargedOnce();
  }

  @Override
  public SelectionState report(SelectionState standing, Parameters report) {
    return Arrivals.report(standing, report);
  }
}
