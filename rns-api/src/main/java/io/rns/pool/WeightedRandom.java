package io.rns.pool;

/** In proportion to the weight. */
final class WeightedRandom implements DrawnPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.WEIGHTED_RANDOM;
  }

  @Override
  public boolean admits(Standing standing) {
    return standing.parameters().weight() > 0;
  }

  @Override
  public long weight(Standing standing) {
    return standing.parameters().weight();
  }
}
