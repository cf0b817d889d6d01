package io.rns.pool;

/** Load plus the load equivalent of the distance, at most 100 %. */
final class LeastUsedDistance implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.LEAST_USED_DISTANCE;
  }

  @Override
  public long rank(SelectionState standing) {
    return Loads.capped(Loads.plus(standing.parameters().load(), Loads.distance(standing)));
  }
}
