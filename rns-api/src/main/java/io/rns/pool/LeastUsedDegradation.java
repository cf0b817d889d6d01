package io.rns.pool;

/** Load plus what was selected since it was reported, each selection counting for the degradation. */
final class LeastUsedDegradation implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.LEAST_USED_DEGRADATION;
  }

  @Override
  public long rank(SelectionState standing) {
    return Loads.plus(standing.parameters().load(), Loads.degradation(standing, standing.charged()));
  }

  @Override
  public SelectionState charge(SelectionState standing) {
    return standing.chargedOnce();
  }
}
