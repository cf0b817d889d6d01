package io.rns.replication.simulation;

/** A safeguard that a simulation leaves out, to show that it would notice. */
enum Defect {
  /** A primary answers reads of consistency {@code primary} although it could not commit for long. */
  READS_WITHOUT_LEASE,
  /** A failover does not wait until the lease of the former primary is over. */
  NO_WAIT_FOR_THE_LEASE,
  /** A commit is answered without a replica. */
  ANSWERS_WITHOUT_REPLICA,
  /** A failover believes that unreachable members have nothing. */
  FORCED_FAILOVER,
  /** Replicas acknowledge before their relay log is synced. */
  RELAY_LOG_NOT_SYNCED,
  /** Members obey the steps of all changes of primary, not only the latest one's. */
  STEPS_WITHOUT_TERMS
}
