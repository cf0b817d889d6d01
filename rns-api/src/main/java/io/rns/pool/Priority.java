package io.rns.pool;

/** The highest priority first, one after the other among equals. */
final class Priority implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.PRIORITY;
  }

  @Override
  public long rank(SelectionState standing) {
    return Parameters.FULL - standing.parameters().priority();
  }
}
