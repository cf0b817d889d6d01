package io.rns.replication.simulation;

/** A safeguard that a simulation leaves out, to show that it would notice. */
enum Defect {
  /** A primary answers reads of consistency {@code primary} although it could not commit for long. */
  READS_WITHOUT_LEASE,
  /** A failover does not wait until the lease of the former primary is over. */
  NO_WAIT_FOR_THE_LEASE,
  /** A commit is answered without a replica. */
  ANSWERS_WITHOUT_REPLICA,
  /** A commit is answered by one replica, where a failover relies on two. */
  ONE_ACKNOWLEDGES,
  /** A replica shows what it has received, though another one has to receive it, too. */
  READS_OF_UNCONFIRMED,
  /**
   * A primary that steps down shows what its database has, and says that it is at the position before its last write.
   */
  LAST_WRITE_READ_EARLY,
  /** A failover does not mind unreachable members. */
  FORCED_FAILOVER,
  /** A database that was restarted vouches for what it received before, synced or not. */
  RESTARTED_REPLICA_VOUCHES,
  /** Members obey the steps of all changes of primary, not only of the latest one. */
  STEPS_WITHOUT_TERMS,
  /** Members forget their promises when they are restarted, server or database. */
  PROMISES_FORGOTTEN,
  /**
   * Who has accepted a term counts as chosen in it: members of earlier terms are left out without the one that has all
   * that was acknowledged before.
   */
  ACCEPTED_COUNTS_AS_CHOSEN,
  /** A member that a change has cut off forgets that. */
  CUT_OFF_IGNORED,
  /** Only the servers that a member has heard of count as the group, not the list of its members. */
  HEARD_SERVERS_COUNT,
  /** A member that stops receiving reports what it has applied only. */
  RECEIVED_NOT_REPORTED,
  /** A database that follows another one drops what it has not applied, also where two have to have it. */
  OTHER_SOURCE_FETCHED_AGAIN,
  /** A database that follows the one that it followed before drops what it has not applied. */
  SAME_SOURCE_FETCHED_AGAIN,
  /** A database that was rebuilt gives the numbers again that it gave to transactions which it has lost. */
  NUMBERS_GIVEN_AGAIN,
  /** A switchover whose target fails to lead ends there, without the former primary. */
  SWITCHOVER_WITHOUT_WAY_BACK
}
