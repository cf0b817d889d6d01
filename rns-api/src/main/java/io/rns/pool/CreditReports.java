package io.rns.pool;

/**
 * Decides when a pool element reports its credit: when enough places were taken or freed to matter, and at every change
 * while almost nothing is free, so that users learn at once when pressure eases. The caller also reports at every
 * heartbeat.
 */
public final class CreditReports {
  /** The part of all places that matters: of elements with 24 places or fewer every change does. */
  private static final long PARTS = 24;

  private CreditReports() {}

  /**
   * Whether to report an occupancy, given the last reported one: the credits differ by at least a {@value #PARTS}th of
   * the limit or a quarter of the new credit, and at least by one.
   */
  public static boolean isDue(Occupancy reported, Occupancy now) {
    long step = Math.min(now.limit() / PARTS, now.credit() / 4);
    return Math.abs(now.credit() - reported.credit()) >= Math.max(1, step);
  }
}
