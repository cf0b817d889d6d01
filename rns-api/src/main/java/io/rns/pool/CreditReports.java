package io.rns.pool;

/**
 * When a pool element reports its credit to those who select: rarely while much is free, at every place while nearly nothing
 * is. A report also goes out at every heartbeat and with every reply, which is the caller's to do.
 *
 * @param low at or below this credit the element is under pressure; relief of it is reported
 */
public record CreditReports(long low) {
  /** Whether a credit is to be reported, after another one was. */
  public boolean isDue(long reported, long credit) {
    return Math.abs(credit - reported) >= step(credit) || isRelief(reported, credit);
  }

  private boolean isRelief(long reported, long credit) {
    return reported <= low && credit >= low + step(credit);
  }

  private static long step(long credit) {
    return Math.max(1, credit / 4);
  }
}
