package io.rns.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * The requests a pool element reports.
 *
 * @param epoch its incarnation, unsigned 32 bits; a new one restarts {@code accepted}
 * @param accepted the requests that reached it since the epoch began, including finished and rejected ones, since none
 *        of these is in transit any more; makes a report idempotent
 * @param occupied the requests it holds now, in service or queued
 * @param limit its concurrency limit; 0 if unspecified
 */
public record Occupancy(long epoch, long accepted, long occupied, long limit) {
  /** An unknown occupancy. */
  public static final Occupancy UNKNOWN = new Occupancy(0, 0, 0, 0);

  /**
   * Checks the bounds.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public Occupancy {
    Unsigned.check("epoch", epoch);
    Unsigned.check("number of occupied places", occupied);
    Unsigned.check("limit", limit);
    if (accepted < 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a pool element cannot have accepted " + accepted + " requests");
    }
  }

  /** The number of free places, 0 or more. */
  public long credit() {
    return Math.max(0, limit - occupied);
  }
}
