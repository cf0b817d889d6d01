package io.rns.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * What a pool element reports of the requests it holds.
 *
 * @param epoch its incarnation, unsigned 32 bits; a new one begins to count {@code accepted} anew
 * @param accepted how many requests have reached it since the epoch began, also those it has finished or turned away,
 *        for none of these is on its way any more; makes a report idempotent
 * @param occupied how many of them it holds now, served or queued
 * @param limit how many it takes at once; 0 if it does not say
 */
public record Occupancy(long epoch, long accepted, long occupied, long limit) {
  /** Nothing is known. */
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

  /** The places that are free, 0 or more. */
  public long credit() {
    return Math.max(0, limit - occupied);
  }
}
