package io.rns.pool;

/** All ranks are equal: the sequence number makes the circle. */
final class RoundRobin implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.ROUND_ROBIN;
  }

  @Override
  public long rank(SelectionState standing) {
    return 0;
  }
}
