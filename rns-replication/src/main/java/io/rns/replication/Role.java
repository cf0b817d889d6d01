package io.rns.replication;

/** The role of a server in its group. */
public enum Role {
  /** Its database is not usable yet. */
  STARTING,
  /** Accepts writes. */
  PRIMARY,
  /** Has a copy that follows the primary. */
  REPLICA,
  /** Its copy does not belong to the group's tree, or does not follow it; it serves no reads. */
  OUTSIDE
}
