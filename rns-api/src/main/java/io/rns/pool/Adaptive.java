package io.rns.pool;

/**
 * Least occupied: the requests an element holds, those selected since that are still on their way, and a quarter for
 * the next one, divided by how many it takes at once (by its weight if it does not say).
 *
 * <p>Counted in full, the next request would go to a fast element until that is as slow as an idle slow one; it would
 * be the best for this request, and all that follow would pay for it. Not counted, an idle slow element would be as
 * good as an idle fast one. The simulations of docs/simulator.md found a quarter the best of 0.05, 0.25, 0.5, 0.75 and
 * 1.
 */
final class Adaptive implements RankedPolicy {
  /** How much the request to be placed counts, beside 1 for each that is there. */
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
    // In quarters, with 30 bits of fraction: idle elements of 30,000 and 30,001 places still differ; the sum saturates
    // far out.
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
