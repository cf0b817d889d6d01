package io.rns.pool;

/** Equal weights. */
final class Uniform implements DrawnPolicy {
  @Override
  public PolicyType type() {
    return PolicyType.RANDOM;
  }

  @Override
  public long weight(SelectionState standing) {
    return 1;
  }
}
