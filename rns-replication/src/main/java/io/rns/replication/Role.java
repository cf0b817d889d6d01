package io.rns.replication;

/** What a server is in its group. */
public enum Role {
  /** Its database cannot be used yet. */
  STARTING,
  /** Takes the writes. */
  PRIMARY,
  /** Has a copy that follows the primary. */
  REPLICA,
  /** Its copy does not belong to the tree of the group, or does not follow it; it serves no reads. */
  OUTSIDE
}
