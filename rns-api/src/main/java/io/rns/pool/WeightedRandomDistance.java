package io.rns.pool;

/** In proportion to the weight, reduced by the distance; even the most distant element keeps a part of its weight. */
final class WeightedRandomDistance implements DrawnPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.WEIGHTED_RANDOM_DISTANCE;
  }

  @Override
  public boolean admits(SelectionState standing) {
    return standing.parameters().weight() > 0;
  }

  @Override
  public long weight(SelectionState standing) {
    long weight = standing.parameters().weight();
    double lost = (double) Loads.distance(standing) / Parameters.FULL;
    return Math.max(1, weight - (long) Math.min((double) weight, weight * lost));
  }
}
