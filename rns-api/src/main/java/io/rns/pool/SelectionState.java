package io.rns.pool;

/**
 * Where one element of a pool stands, as the one who selects sees it.
 *
 * @param parameters what the element said last
 * @param distance how far away it is
 * @param number the how many-th element of its pool it is, from 0; never used again
 * @param round how many rounds of a weighted circle it has behind it; 0 where a policy has no rounds
 * @param charged how many selections count against it: since its last report, or within the round
 * @param carried how many of those were already charged when it last reported
 */
public record SelectionState(Parameters parameters, Distance distance, long number, long round, long charged,
    long carried) {
  /** An element that nobody has selected yet. */
  public static SelectionState fresh(Parameters parameters, Distance distance, long number) {
    return new SelectionState(parameters, distance, number, 0, 0, 0);
  }

  /** The same after one more selection. */
  SelectionState chargedOnce() {
    return new SelectionState(parameters, distance, number, round, charged + 1, carried);
  }

  /** The same at another place of the circle. */
  SelectionState at(long newRound, long newCharged) {
    return new SelectionState(parameters, distance, number, newRound, newCharged, carried);
  }

  /** The same after a report, with so many selections left that count. */
  SelectionState reported(Parameters report, long left) {
    return new SelectionState(report, distance, number, round, left, left);
  }

  /** The same at another distance. */
  public SelectionState at(Distance newDistance) {
    return new SelectionState(parameters, newDistance, number, round, charged, carried);
  }
}
