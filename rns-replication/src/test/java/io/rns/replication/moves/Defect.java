package io.rns.replication.moves;

/** A protocol with a defect, which histories have to show. */
enum Defect {
  NONE,
  /** Readers find an entry that is moving away. */
  NO_MARK,
  /** The other group does not keep its answer. */
  NO_ANSWERS_KEPT,
  /** The end of a former move ends a later one. */
  ANY_MARK_CONCLUDED,
  /** The end of a move also removes an entry that has come back meanwhile. */
  RETURN_BEFORE_THE_END,
  /** Answers do not say what they reflect of other groups. */
  NOTHING_REFLECTED,
  /** They say it of the group of a move only, and not of those that this group's tree reflects. */
  ONLY_THE_OTHER_GROUP_REFLECTED,
  /** A directory that is moving away takes entries. */
  ENTRIES_IN_A_MARKED_DIRECTORY
}
