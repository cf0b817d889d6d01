package io.rns.pool;

/**
 * Whether an element is left out for some time, based on its responses to one user.
 *
 * @param failures the number of consecutive failed requests
 * @param backOffMillis the last back-off in ms, 0 if there was none since the last success
 * @param outUntilMillis the end of the current back-off
 */
public record Health(int failures, long backOffMillis, long outUntilMillis) {
  /** No failure known. */
  public static final Health GOOD = new Health(0, 0, Long.MIN_VALUE);

  /** The number of consecutive failures that starts a back-off. */
  public static final int FAILURES = 3;

  /** The first back-off in ms. */
  public static final long FIRST_MILLIS = 1_000;

  /**
   * The longest back-off in ms, up to which it doubles. A user with one request per half minute has to be spared most
   * calls to a dead element.
   */
  public static final long LAST_MILLIS = 60_000;

  /** The state after a failed request. A failure after a back-off starts the next, longer one at once. */
  public Health failed(long nowMillis) {
    int more = Math.min(FAILURES, failures + 1);
    if (more < FAILURES || isOut(nowMillis)) {
      return new Health(more, backOffMillis, outUntilMillis);
    }
    long backOff = backOffMillis == 0 ? FIRST_MILLIS : Math.min(LAST_MILLIS, 2 * backOffMillis);
    return new Health(more, backOff, nowMillis + backOff);
  }

  /** The state after a successful request. */
  public Health succeeded() {
    return GOOD;
  }

  /** Whether the element is in back-off. */
  public boolean isOut(long nowMillis) {
    return nowMillis < outUntilMillis;
  }
}
