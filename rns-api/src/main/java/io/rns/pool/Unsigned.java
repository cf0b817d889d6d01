package io.rns.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * Unsigned 32-bit values. Kept apart from {@link Parameters} and {@link Occupancy}, which must not initialise each
 * other.
 */
final class Unsigned {
  private Unsigned() {}

  /**
   * Checks a value.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is below 0 or above {@link Parameters#FULL}
   */
  static void check(String what, long value) {
    if (value < 0 || value > Parameters.FULL) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          what + " " + value + " of a pool element is not between 0 and " + Parameters.FULL);
    }
  }
}
