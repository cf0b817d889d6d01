package io.rns.replication;

import io.rns.referral.Site;

/**
 * A server's site, capacity and intent, for clients that choose among the servers of a group.
 *
 * @param site its location
 * @param capacity its capacity, in any unit shared by the group; 1 or more
 * @param load utilisation of the capacity, in percent, 0 to 100
 * @param draining whether clients should choose other servers; for a replica only
 */
public record Offer(Site site, long capacity, int load, boolean draining) {
  /** No information. */
  public static final Offer NONE = new Offer(Site.NONE, 1, 0, false);

  /** An offer of a server that does not drain. */
  public Offer(Site site, long capacity, int load) {
    this(site, capacity, load, false);
  }

  /** This offer of a server that drains, or does not. */
  public Offer draining(boolean now) {
    return new Offer(site, capacity, load, now);
  }
}
