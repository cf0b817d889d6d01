package io.rns.pool;

/** The load an element would have if it took one request more. */
final class PriorityLeastUsed implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.PRIORITY_LEAST_USED;
  }

  @Override
  public long rank(SelectionState standing) {
    return Loads.plus(standing.parameters().load(), Loads.degradation(standing, 1));
  }
}
