package io.rns.handlespace;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * Limits and periods of a handlespace. What is registered here has 15 sixteenths of pools, elements and bytes, and what
 * one host registers three quarters of what others leave.
 *
 * @param pools maximum number of pools, at least 1
 * @param elements maximum number of elements in total, at least 1
 * @param elementsPerPool maximum number of elements per pool, at least 1
 * @param resolutionItems maximum number of elements returned by a handle resolution (MaxHResItems), at least 1
 * @param charged how many of these, in order, count as selected; the others are for failover. Drawn policies charge
 *        none
 * @param keepAliveMillis period between keep-alives of an element by its home, at least 2; each interval is drawn from
 *        0.5 to 1.5 times the period
 * @param keepAliveTimeoutMillis time an element has to answer, at least 1
 * @param unreachableReports number of reporters an element survives (MAX-BAD-PE-REPORT); one more removes it
 * @param bytes maximum of the estimated memory of all elements, at least 1: 800 bytes for an element and 1,600 for a
 *        pool, 2 for each character of handle, references and control address, and some for each name and reference
 */
public record HandlespaceSettings(
    int pools,
    int elements,
    int elementsPerPool,
    int resolutionItems,
    int charged,
    long keepAliveMillis,
    long keepAliveTimeoutMillis,
    int unreachableReports,
    long bytes) {
  /**
   * 100,000 pools; 1,000,000 elements, all of which may be in one pool; 3 items, 1 charged; 5 s and 5 s; 3 reports; any
   * number of bytes.
   */
  public static final HandlespaceSettings DEFAULTS =
      new HandlespaceSettings(100_000, 1_000_000, 1_000_000, 3, 1, 5_000, 5_000, 3);

  /**
   * Checks the limits.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public HandlespaceSettings {
    check("pools", pools, 1);
    check("elements", elements, 1);
    check("elements of a pool", elementsPerPool, 1);
    check("items of a resolution", resolutionItems, 1);
    check("charged items", charged, 0);
    check("keep-alive milliseconds", keepAliveMillis, 2);
    check("keep-alive timeout milliseconds", keepAliveTimeoutMillis, 1);
    check("unreachable reports", unreachableReports, 0);
    check("bytes of elements", bytes, 1);
  }

  /** Settings without a limit of bytes. */
  public HandlespaceSettings(
      int pools, int elements, int elementsPerPool, int resolutionItems, int charged, long keepAliveMillis,
      long keepAliveTimeoutMillis, int unreachableReports) {
    this(pools, elements, elementsPerPool, resolutionItems, charged, keepAliveMillis, keepAliveTimeoutMillis,
        unreachableReports, Long.MAX_VALUE);
  }

  /** The same with another limit of bytes. */
  public HandlespaceSettings withBytes(long most) {
    return new HandlespaceSettings(
        pools, elements, elementsPerPool, resolutionItems, charged, keepAliveMillis, keepAliveTimeoutMillis,
        unreachableReports, most);
  }

  private static void check(String what, long value, long least) {
    if (value < least) {
      throw new RnsException(RnsError.INVALID_REQUEST, what + " must be at least " + least + ", not " + value);
    }
  }
}
