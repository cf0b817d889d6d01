package io.rns.pool;

/**
 * Shortest expected delay: the requests an element holds, those selected since that are still on their way, and the next one,
 * divided by how many it takes at once (by its weight if it does not say).
 */
final class Adaptive implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.ADAPTIVE;
  }

  @Override
  public boolean admits(Standing standing) {
    return capacity(standing) > 0;
  }

  static long capacity(Standing standing) {
    Parameters parameters = standing.parameters();
    long limit = parameters.occupancy().limit();
    return limit > 0 ? limit : parameters.weight();
  }

  @Override
  public long rank(Standing standing) {
    long requests = Loads.plus(standing.parameters().occupancy().occupied(), Loads.plus(standing.charged(), 1));
    // 30 bits of fraction: shares as different as 1/30,000 and 1/30,001 still differ; the sum saturates far out.
    long bounded = Math.min(requests, Long.MAX_VALUE >> 30);
    return (bounded << 30) / Math.max(1, capacity(standing));
  }

  @Override
  public Standing charge(Standing standing) {
    return standing.chargedOnce();
  }

  @Override
  public Standing report(Standing standing, Parameters report) {
    return Arrivals.report(standing, report);
  }
}
