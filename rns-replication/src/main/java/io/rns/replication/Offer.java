package io.rns.replication;

import io.rns.referral.Site;

/**
 * What a server tells of itself for those who choose among the servers of a group.
 *
 * @param site where it is
 * @param capacity what it can do at a time, in any unit that is the same for all of the group; 1 or more
 * @param load how much of that is used, in percent, 0 to 100
 */
public record Offer(Site site, long capacity, int load) {
  /** A server that says nothing of it. */
  public static final Offer NONE = new Offer(Site.NONE, 1, 0);
}
