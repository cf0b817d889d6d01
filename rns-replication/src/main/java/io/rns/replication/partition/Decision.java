package io.rns.replication.partition;

import io.rns.replication.partition.Plan.Move;
import java.util.List;

/** What follows from a window and those before it. */
public sealed interface Decision {
  /** The plan for the mean of the windows. */
  Plan plan();

  /** Why, for people. */
  String reason();

  /**
   * Nothing is to be moved.
   *
   * @param plan whose verdict says why
   */
  record Balanced(Plan plan) implements Decision {
    @Override
    public String reason() {
      return plan.verdict();
    }
  }

  /** There are moves that would help, but a rule forbids them for now. */
  record Refused(Plan plan, Rule rule, String reason) implements Decision {}

  /** The moves of the plan pass all rules. */
  record Proposed(Plan plan, String reason) implements Decision {
    /** What to move, in this order. */
    public List<Move> moves() {
      return plan.moves();
    }
  }

  /** What may forbid moves, in the order in which it is looked at. */
  enum Rule {
    /** Too few windows are known. */
    WINDOWS,
    /** In one of the windows not all servers have answered. */
    MISSING,
    /** The group was not too busy in all windows. */
    PERSISTENCE,
    /** In the windows the moves would have gained too little, or done harm. */
    GAIN,
    /** Too many moves have begun in the last hour. */
    BUDGET,
    /** No move begins now. */
    QUIET_HOURS
  }
}
