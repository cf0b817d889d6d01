package io.rns.pool;

/**
 * Decides when a pool element reports its credit: rarely while much is free, at every change while almost nothing is,
 * so that users learn at once when pressure eases. The caller also reports at every heartbeat and with every response.
 */
public final class CreditReports {
  private CreditReports() {}

  /**
   * Whether to report a credit, given the last reported one: it differs by at least a quarter of the new credit, and at
   * least by one.
   */
  public static boolean isDue(long reported, long credit) {
    return Math.abs(credit - reported) >= Math.max(1, credit / 4);
  }
}
