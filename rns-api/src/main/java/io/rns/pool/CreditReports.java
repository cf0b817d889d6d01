package io.rns.pool;

/**
 * When a pool element reports its credit to those who select: rarely while much is free, at every place while nearly
 * nothing is, so that relief of pressure is known at once. A report also goes out at every heartbeat and with every
 * reply, which is the caller's to do.
 */
public final class CreditReports {
  private CreditReports() {}

  /** Whether a credit is to be reported, after another one was: it differs by a quarter of itself, or by one place. */
  public static boolean isDue(long reported, long credit) {
    return Math.abs(credit - reported) >= Math.max(1, credit / 4);
  }
}
