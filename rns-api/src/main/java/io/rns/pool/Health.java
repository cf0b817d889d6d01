package io.rns.pool;

/**
 * Whether an element is left out for some time, based on its responses to one user. Each failure counts: an element
 * that fails at once looks idle, so every request spared matters more than one that could have been served.
 *
 * @param backOffMillis the last back-off in ms, 0 if there was none since the last success
 * @param outUntilMillis the end of the current back-off
 */
public record Health(long backOffMillis, long outUntilMillis) {
  /** No failure known. */
  public static final Health GOOD = new Health(0, Long.MIN_VALUE);

  /** The first back-off in ms, the one of nginx. */
  public static final long FIRST_MILLIS = 10_000;

  /**
   * The longest back-off in ms, up to which it doubles. A user with one request per half minute has to be spared most
   * calls to a dead element.
   */
  public static final long LAST_MILLIS = 60_000;

  /** Known to fail for others until then. */
  public static Health outUntil(long millis) {
    return new Health(0, millis);
  }

  /** The state after a failed request. A failure after a back-off starts the next, longer one. */
  public Health failed(long nowMillis) {
    if (backOffMillis > 0 && isOut(nowMillis)) {
      return this;
    }
    long backOff = backOffMillis == 0 ? FIRST_MILLIS : Math.min(LAST_MILLIS, 2 * backOffMillis);
    return new Health(backOff, nowMillis + backOff);
  }

  /** The state after a successful request. */
  public Health succeeded() {
    return GOOD;
  }

  /** Whether its last request failed. */
  public boolean hasFailed() {
    return backOffMillis > 0;
  }

  /** Whether the element is in back-off. */
  public boolean isOut(long nowMillis) {
    return nowMillis < outUntilMillis;
  }
}
