package io.rns.replication.simulation;

/** What a server learns of a transaction that it sent to its database. */
sealed interface CommitOutcome {
  /** It was committed, and a replica has it if commits wait for one. */
  record Committed(SimulatedTransaction transaction) implements CommitOutcome {}

  /** The database takes no writes. */
  record Refused() implements CommitOutcome {}

  /** The row of the group has another epoch. */
  record Superseded() implements CommitOutcome {}

  /** The connection was lost: it may have been committed. */
  record Lost() implements CommitOutcome {}
}
