package io.rns.pool;

import org.jspecify.annotations.Nullable;

/**
 * Each element has as many evenly spaced places in a round as its weight says. Elements begin at different points, so
 * that the places of equal weights do not coincide; the golden ratio spreads any number of them well.
 *
 * <p>The round is a circle of 2^32 points; the rank is the point of the next place.
 */
final class WeightedRoundRobin implements RankedPolicy {
  private static final long GOLDEN = 2_654_435_769L;
  private static final long POINTS_MASK = 0xffff_ffffL;

  @Override
  public PolicyType type() {
    return PolicyType.WEIGHTED_ROUND_ROBIN;
  }

  @Override
  public boolean admits(SelectionState standing) {
    return standing.parameters().weight() > 0;
  }

  @Override
  public long rank(SelectionState standing) {
    // (turn + phase) / weight of the circle; below 2^64, because the turn is below the weight.
    return Long.divideUnsigned((standing.charged() << 32) + phase(standing), standing.parameters().weight());
  }

  private static long phase(SelectionState standing) {
    return standing.number() * GOLDEN & POINTS_MASK;
  }

  /**
   * Joins at its first place ahead of the current point: it neither catches up on the past nor waits for the next
   * round.
   */
  @Override
  public SelectionState join(SelectionState fresh, @Nullable SelectionState head) {
    if (head == null) {
      return fresh;
    }
    long weight = fresh.parameters().weight();
    long passed = rank(head) * weight;
    long phase = phase(fresh);
    long turn = Long.compareUnsigned(passed, phase) <= 0 ? 0 : (passed - phase + POINTS_MASK) >>> 32;
    return turn < weight ? fresh.at(head.round(), turn) : fresh.at(head.round() + 1, 0);
  }

  @Override
  public SelectionState charge(SelectionState standing) {
    long next = standing.charged() + 1;
    return next < standing.parameters().weight() ? standing.at(standing.round(), next)
        : standing.at(standing.round() + 1, 0);
  }

  /** Another weight leaves its place in the round unchanged. */
  @Override
  public SelectionState report(SelectionState standing, Parameters report) {
    long before = standing.parameters().weight();
    long turn = before == 0 ? 0 : Long.divideUnsigned(standing.charged() * report.weight(), before);
    return standing.reported(report, turn);
  }
}
