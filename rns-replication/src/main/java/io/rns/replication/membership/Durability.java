package io.rns.replication.membership;

/** What a commit on a database that takes writes waits for. */
public enum Durability {
  /** For the receipt by one replica, for ever if none is there: it never goes on without. */
  REPLICATED,
  /** For its own disk only: what no replica has received is lost with this database. */
  LOCAL
}
