package io.rns.replication.membership;

/** What a commit on a writable database waits for. */
public enum Durability {
  /** Receipt by one replica, indefinitely if none is connected: it never commits without one. */
  REPLICATED,
  /** Only its own disk: transactions not received by a replica are lost with this database. */
  LOCAL
}
