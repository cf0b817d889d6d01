package io.rns.server.namespace;

/** A protocol with a defect, which histories have to show. */
public enum ContentMoveDefect {
  NONE,
  /** The next owner serves before the former one has given the content away. */
  OWN_BEFORE_GIVE,
  /** Writes go on before the content is given away. */
  THAW_BEFORE_GIVE,
  /** The content is given away although writes went on because the freeze lasted too long. */
  EXPIRED_FREEZE_FORGIVEN,
  /** The next owner does not get answers to former requests. */
  NOTHING_REMEMBERED,
  /** Nobody compares the two sides of the copy. */
  NO_SUM,
  /** The next owner takes steps of former moves. */
  TOKENS_IGNORED,
  /** The next owner takes an offer that was made before other content came. */
  LATE_OFFER_TAKEN,
  /** A group that has given content away takes it that the group that takes it in gives it back. */
  GIFT_MISTAKEN,
  /** The next owner serves because of the map, without asking the former one. */
  MAP_BELIEVED,
  /** The next owner takes content in while it deletes what it had of it. */
  DELETION_NOT_AWAITED,
  /** Answers do not say what they reflect of other groups. */
  NOTHING_REFLECTED
}
