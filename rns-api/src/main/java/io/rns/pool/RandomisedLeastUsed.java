package io.rns.pool;

/** In proportion to the unused capacity. */
final class RandomisedLeastUsed implements DrawnPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.RANDOMISED_LEAST_USED;
  }

  @Override
  public long weight(SelectionState standing) {
    return Math.max(1, Parameters.FULL - standing.parameters().load());
  }
}
