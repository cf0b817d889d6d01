package io.rns.pool;

/** The load of an element after one more request. */
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
