package io.rns.replication.partition;

import java.time.Duration;

/**
 * What a {@link PartitionBalancer} goes by.
 *
 * @param plan limits of a plan; its minimum gain also holds for the windows
 * @param window how long the heat of a window is measured
 * @param windows in how many windows, one after the other, an imbalance must be seen before anything moves
 * @param movesPerHour the most moves that begin in an hour
 * @param quiet when no move begins
 * @param rest how long a directory stays after a move, with everything that moved with it
 */
public record BalancerSettings(
    PlanSettings plan, Duration window, int windows, int movesPerHour, QuietHours quiet, Duration rest) {
  /** A move reads all entries twice, so it has to pay for at least as long as it took to see that it does. */
  public static final BalancerSettings DEFAULT =
      new BalancerSettings(
          PlanSettings.DEFAULT, Duration.ofMinutes(5), 3, 4, QuietHours.NONE, Duration.ofHours(1));
}
