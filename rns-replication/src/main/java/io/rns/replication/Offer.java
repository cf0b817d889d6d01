package io.rns.replication;

import io.rns.referral.Site;

/**
 * A server's site and capacity, for clients that choose among the servers of a group.
 *
 * @param site its location
 * @param capacity its capacity, in any unit shared by the group; 1 or more
 * @param load utilisation of the capacity, in percent, 0 to 100
 */
public record Offer(Site site, long capacity, int load) {
  /** No information. */
  public static final Offer NONE = new Offer(Site.NONE, 1, 0);
}
