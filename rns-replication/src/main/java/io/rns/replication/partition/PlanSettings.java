package io.rns.replication.partition;

import io.rns.error.Limits;

/**
 * What a {@link Planner} goes by. Loads are in reads per second.
 *
 * @param writeCost reads that cost as much as a write
 * @param minimumLoad no group is relieved that has less
 * @param tolerance how much more than the mean a group may have, as a part of the mean
 * @param minimumGain by how much a move must lower the load of the busiest group, as a part of the mean
 * @param moves the most moves of a plan
 * @param cuts the most partitions in the parts of one group
 */
public record PlanSettings(
    double writeCost, double minimumLoad, double tolerance, double minimumGain, int moves, int cuts) {
  /**
   * A group of three servers answers 28,200 queries or commits 5,210 additions per second, so a write costs 5 reads. A
   * group with less than 200 reads per second is idle for 99 % of the time.
   */
  public static final PlanSettings DEFAULT = new PlanSettings(5, 200, 0.25, 0.1, 3, Limits.PARTITIONS);

  /** More would take too long to plan, and to follow. */
  public static final int MOST_MOVES = 8;

  /** The same with other limits of what is worth a plan. */
  public PlanSettings with(double cost, double minimum, int most) {
    return new PlanSettings(cost, minimum, tolerance, minimumGain, most, cuts);
  }

  /** The same with another minimum gain. */
  public PlanSettings withGain(double gain) {
    return new PlanSettings(writeCost, minimumLoad, tolerance, gain, moves, cuts);
  }

  /** The same with another limit of moves. */
  PlanSettings withMoves(int most) {
    return new PlanSettings(writeCost, minimumLoad, tolerance, minimumGain, most, cuts);
  }
}
