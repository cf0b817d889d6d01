package io.rns.handlespace;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * The bounds and periods of a handlespace.
 *
 * @param pools how many pools there may be, at least 1
 * @param elements how many elements there may be in all, at least 1
 * @param elementsPerPool how many elements one pool may have, at least 1
 * @param resolutionItems how many elements a handle resolution gives at most (MaxHResItems), at least 1
 * @param charged how many of them count as selected, in order; the others are there to fail over to. A drawn policy
 *        charges none
 * @param keepAliveMillis how long a home registrar waits between two keep-alives of an element, at least 2; each time
 *        is drawn from half of it to one and a half
 * @param keepAliveTimeoutMillis how long an element may take to answer, at least 1
 * @param unreachableReports how many reports an element survives; one more removes it
 */
public record HandlespaceSettings(
    int pools,
    int elements,
    int elementsPerPool,
    int resolutionItems,
    int charged,
    long keepAliveMillis,
    long keepAliveTimeoutMillis,
    int unreachableReports) {
  /** 100,000 pools, 1,000,000 elements, any of them in one pool; 3 items, 1 charged; 5 s and 5 s; 3 reports. */
  public static final HandlespaceSettings DEFAULTS =
      new HandlespaceSettings(100_000, 1_000_000, 1_000_000, 3, 1, 5_000, 5_000, 3);

  /**
   * Checks the bounds.
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
  }

  private static void check(String what, long value, long least) {
    if (value < least) {
      throw new RnsException(RnsError.INVALID_REQUEST, value + " " + what + " are fewer than " + least);
    }
  }
}
