package io.rns.replication.member;

/**
 * How many replicas have to acknowledge the commits of a primary.
 *
 * @param first of how many the commit waits that begins the epoch; 0 for none
 * @param most of how many its database can wait at most, which bounds what a list of members asks for
 */
public record CommitWait(int first, int most) {
  /** A commit waits for one replica, however many members there are. */
  public static final CommitWait FOR_ONE = new CommitWait(1, 1);
}
