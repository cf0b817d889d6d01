package io.rns.pool;

/** The lowest load first. */
final class LeastUsed implements RankedPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.LEAST_USED;
  }

  @Override
  public long rank(SelectionState standing) {
    return standing.parameters().load();
  }
}
