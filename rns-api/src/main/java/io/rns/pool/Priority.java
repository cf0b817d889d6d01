package io.rns.pool;

/** The highest priority first; equals take turns. */
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
