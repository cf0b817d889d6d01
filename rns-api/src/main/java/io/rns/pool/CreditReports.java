package io.rns.pool;

/**
 * Decides when a pool element reports its credit: when enough places were taken or freed to matter, or as many requests
 * have arrived, and at every change while almost nothing is free, so that users learn at once when pressure eases. The
 * caller also reports at every heartbeat.
 */
public final class CreditReports {
  /** The part of all places that matters: of elements with 24 places or fewer every change does. */
  private static final long PARTS = 24;

  private CreditReports() {}

  /**
   * Whether to report an occupancy, given the last reported one: the credits differ, or requests have arrived since, by
   * at least a {@value #PARTS}th of the limit or a quarter of the new credit, and at least by one. Arrivals count since
   * registrars take the places of what they sent for occupied until its arrival is reported, though it may be done.
   */
  public static boolean isDue(Occupancy reported, Occupancy now) {
    long step = Math.max(1, Math.min(now.limit() / PARTS, now.credit() / 4));
    return Math.abs(now.credit() - reported.credit()) >= step || now.accepted() - reported.accepted() >= step;
  }
}
