package io.rns.replication.membership;

/** What a commit on a writable database waits for. */
public enum Durability {
  /**
   * Receipt by as many replicas as the list of members says, indefinitely if fewer are connected: it never commits
   * without them.
   */
  REPLICATED,
  /** Only its own disk: transactions not received by a replica are lost with this database. */
  LOCAL;

  /** Of how many replicas a commit waits, where the list of members says so many. */
  public int of(int acknowledgements) {
    return this == REPLICATED ? acknowledgements : 0;
  }
}
