package io.rns.pool;

/** Load plus the degradation of selections plus the load equivalent of the distance, at most 100 %. */
final class LeastUsedDegradationDistance implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.LEAST_USED_DEGRADATION_DISTANCE;
  }

  @Override
  public long rank(SelectionState standing) {
    long load = Loads.plus(standing.parameters().load(), Loads.degradation(standing, standing.charged()));
    return Loads.capped(Loads.plus(load, Loads.distance(standing)));
  }

  @Override
  public SelectionState charge(SelectionState standing) {
    return standing.chargedOnce();
  }
}
