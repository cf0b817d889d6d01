package io.rns.pool;

/** In proportion to the weight. */
final class WeightedRandom implements DrawnPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.WEIGHTED_RANDOM;
  }

  @Override
  public boolean admits(SelectionState standing) {
    return standing.parameters().weight() > 0;
  }

  @Override
  public long weight(SelectionState standing) {
    return standing.parameters().weight();
  }
}
