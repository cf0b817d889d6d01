package io.rns.pool;

/** Load with what was selected and one request more plus what the distance counts for, at most 100 %. */
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
