package io.rns.replication.partition;

import io.rns.api.RnsPath;
import java.util.List;

/**
 * What would balance the loads of the server groups, and why.
 *
 * @param groups the loads of the groups
 * @param limit the most load that a group may have
 * @param moves what to move; empty if nothing
 * @param verdict why these moves, and no more, for people
 */
public record Plan(List<GroupLoad> groups, double limit, List<Move> moves, String verdict) {
  /** Copies the lists. */
  public Plan {
    groups = List.copyOf(groups);
    moves = List.copyOf(moves);
  }

  /**
   * The load of a group, in reads per second.
   *
   * @param after the moves
   */
  public record GroupLoad(int group, Heat heat, double load, double after) {}

  /**
   * A move of a directory with everything below it, except other partitions, to another group.
   *
   * @param load what it moves
   * @param reasons for people
   */
  public record Move(RnsPath path, int from, int to, Heat heat, double load, List<String> reasons) {
    /** Copies the reasons. */
    public Move {
      reasons = List.copyOf(reasons);
    }
  }
}
