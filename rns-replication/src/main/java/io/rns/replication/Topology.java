package io.rns.replication;

/** How the databases of a group replicate, and how the writable one is chosen. */
public enum Topology {
  /**
   * Replicas fetch from a source, whose commits wait until one of them has received the transaction. Operators choose
   * the source.
   */
  SOURCE_REPLICA,
  /**
   * The databases agree by majority on every commit and on the membership (MySQL Group Replication, single primary).
   * They elect the writable database automatically, and none is writable without a majority.
   */
  GROUP
}
