package io.rns.pool;

/** Load after one more request plus the load equivalent of the distance, at most 100 %. */
final class PriorityLeastUsedDistance implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.PRIORITY_LEAST_USED_DISTANCE;
  }

  @Override
  public long rank(SelectionState standing) {
    long load = Loads.plus(standing.parameters().load(), Loads.degradation(standing, 1));
    return Loads.capped(Loads.plus(load, Loads.distance(standing)));
  }
}
