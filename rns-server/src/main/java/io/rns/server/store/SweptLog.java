package io.rns.server.store;

/**
 * How far the old rows of a log are deleted.
 *
 * @param last the number of the last row that is, and all before it; {@link #NOTHING} if that is not known of any
 * @param more whether there may be more to delete
 */
public record SweptLog(long last, boolean more) {
  /** Before the first row. */
  public static final long NOTHING = Long.MIN_VALUE;
}
