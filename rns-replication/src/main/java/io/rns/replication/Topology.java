package io.rns.replication;

/** How the databases of a group are kept alike, and who says which of them takes the writes. */
public enum Topology {
  /**
   * Replicas fetch from a source, which answers a commit when one of them has received it. Operators say which one is
   * the source.
   */
  SOURCE_REPLICA,
  /**
   * The databases agree by majority on every commit and on who is a member (MySQL Group Replication, single primary).
   * They choose the one that takes writes by themselves, and none takes any without a majority.
   */
  GROUP
}
