package io.rns.pool;

/**
 * Load after one more request, including the degradation of selections, plus the load equivalent of the distance, at
 * most 100 %.
 */
final class PriorityLeastUsedDegradationDistance implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.PRIORITY_LEAST_USED_DEGRADATION_DISTANCE;
  }

  @Override
  public long rank(SelectionState standing) {
    long load = Loads.plus(standing.parameters().load(), Loads.degradation(standing, standing.charged() + 1));
    return Loads.capped(Loads.plus(load, Loads.distance(standing)));
  }

  @Override
  public SelectionState charge(SelectionState standing) {
    return standing.chargedOnce();
  }
}
