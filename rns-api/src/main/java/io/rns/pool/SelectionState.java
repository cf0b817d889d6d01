package io.rns.pool;

/**
 * The state of one pool element as seen by the selecting party.
 *
 * @param parameters the last report of the element
 * @param distance its distance
 * @param number its serial number in the pool, from 0; never reused
 * @param round the completed rounds of a weighted circle; 0 for policies without rounds
 * @param charged the selections that count against it: since its last report, or within the round
 * @param carried the number of those that were already charged at its last report
 */
public record SelectionState(Parameters parameters, Distance distance, long number, long round, long charged,
    long carried) {
  /** An element not selected yet. */
  public static SelectionState fresh(Parameters parameters, Distance distance, long number) {
    return new SelectionState(parameters, distance, number, 0, 0, 0);
  }

  /** Returns the state after one more selection. */
  SelectionState chargedOnce() {
    return new SelectionState(parameters, distance, number, round, charged + 1, carried);
  }

  /** Returns the state at another place of the circle. */
  SelectionState at(long newRound, long newCharged) {
    return new SelectionState(parameters, distance, number, newRound, newCharged, carried);
  }

  /** Returns the state after a report, with {@code left} selections still charged. */
  SelectionState reported(Parameters report, long left) {
    return new SelectionState(report, distance, number, round, left, left);
  }

  /** Returns the state at another distance. */
  public SelectionState at(Distance newDistance) {
    return new SelectionState(parameters, newDistance, number, round, charged, carried);
  }
}
