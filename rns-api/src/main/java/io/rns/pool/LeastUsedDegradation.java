package io.rns.pool;

/** Load plus the degradation of each selection since the last report. */
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
