package io.rns.replication;

import java.util.List;

/**
 * How a server becomes primary.
 *
 * @param after its new epoch is later than this one, and than all epochs known to its database
 * @param first no database is writable or can be elected: the others join this one. {@link GroupMember#stopReceiving}
 *        must have been called on each of them before
 * @param alone the first commit of the new epoch does not wait for an acknowledgement, since no member may be able to
 *        give one; later writes do
 * @param othersEmpty all others are reachable and have empty databases. If there is a list of members, or its log does
 *        not reach back to its first table, they cannot follow before they have copied its database, so it becomes
 *        primary alone
 * @param ended the last epoch whose primary is known to answer no reads any more; 0 if none is. Only a database group
 *        needs to know, which elects a primary before any server has decided on one
 * @param members the addresses of the members from now on, written by the commit that begins the epoch; empty to keep
 *        the list that its database has
 * @param inForce which list of members the former primary had committed when it stepped down, by {@link MemberList#id};
 *        empty if that is not known
 */
public record PromotionTerms(
    int after, boolean first, boolean alone, boolean othersEmpty, int ended, List<String> members, String inForce) {
  /** Copies the addresses. */
  public PromotionTerms {
    members = List.copyOf(members);
  }

  /** Whether the change has made sure that the next primary has all that was acknowledged: a failover without force. */
  public boolean complete() {
    return first && !alone;
  }

  /** The same with a list of members. */
  public PromotionTerms with(List<String> others) {
    return new PromotionTerms(after, first, alone, othersEmpty, ended, others, inForce);
  }

  /** The same with the list of members that is in force. */
  public PromotionTerms with(MemberList list) {
    return new PromotionTerms(after, first, alone, othersEmpty, ended, members, list.exists() ? list.id() : "");
  }

  /** For a planned change, or for a server that was primary just before. */
  public static PromotionTerms after(int epoch, int ended) {
    return new PromotionTerms(epoch, false, false, false, ended, List.of(), "");
  }
}
