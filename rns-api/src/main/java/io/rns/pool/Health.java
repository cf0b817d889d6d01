package io.rns.pool;

/**
 * How an element has answered one user: whether to leave it out for a while.
 *
 * @param failures how many requests in a row have failed
 * @param backOffMillis how long it was left out last, 0 if it never was since its last success
 * @param outUntilMillis until when it is left out
 */
public record Health(int failures, long backOffMillis, long outUntilMillis) {
  /** Nothing bad is known. */
  public static final Health GOOD = new Health(0, 0, Long.MIN_VALUE);

  /** So many failures in a row leave an element out. */
  public static final int FAILURES = 3;

  /** How long at first. */
  public static final long FIRST_MILLIS = 1_000;

  /**
   * How long at most; it doubles up to this. A user with a request every half a minute has to spare most of them a dead
   * element.
   */
  public static final long LAST_MILLIS = 60_000;

  /** After a request that failed. One that was left out and fails again is left out at once, and longer. */
  public Health failed(long nowMillis) {
    int more = Math.min(FAILURES, failures + 1);
    if (more < FAILURES || isOut(nowMillis)) {
      return new Health(more, backOffMillis, outUntilMillis);
    }
    long backOff = backOffMillis == 0 ? FIRST_MILLIS : Math.min(LAST_MILLIS, 2 * backOffMillis);
    return new Health(more, backOff, nowMillis + backOff);
  }

  /** After a request that succeeded. */
  public Health succeeded() {
    return GOOD;
  }

  /** Whether it is left out. */
  public boolean isOut(long nowMillis) {
    return nowMillis < outUntilMillis;
  }
}
