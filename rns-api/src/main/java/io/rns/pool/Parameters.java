package io.rns.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * What a pool element tells about itself for its selection; each policy reads what it needs. All numbers are unsigned
 * 32-bit values, as on the wire (RFC 5356).
 *
 * @param weight its share of the selections of a weighted policy; 0: it cannot serve
 * @param priority higher is first
 * @param load 0 to {@link #FULL}, which is 100 %
 * @param loadDegradation how much load one selection adds, in units of the load
 * @param distanceFactor how much load (or which part of the weight) one millisecond of distance costs; {@link #FULL} is
 *        100 %
 * @param occupancy what it has accepted and how much more it takes
 */
public record Parameters(
    long weight, long priority, long load, long loadDegradation, long distanceFactor, Occupancy occupancy) {
  /** The largest value: 100 % of a load or of a factor. */
  public static final long FULL = 0xffff_ffffL;

  /** Weight 1, everything else 0 or unknown. */
  public static final Parameters PLAIN = new Parameters(1, 0, 0, 0, 0, Occupancy.UNKNOWN);

  /**
   * Checks the bounds.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public Parameters {
    Unsigned.check("weight", weight);
    Unsigned.check("priority", priority);
    Unsigned.check("load", load);
    Unsigned.check("load degradation", loadDegradation);
    Unsigned.check("distance factor", distanceFactor);
  }

  /** These with another weight. */
  public Parameters withWeight(long value) {
    return new Parameters(value, priority, load, loadDegradation, distanceFactor, occupancy);
  }

  /** These with another priority. */
  public Parameters withPriority(long value) {
    return new Parameters(weight, value, load, loadDegradation, distanceFactor, occupancy);
  }

  /** These with another load. */
  public Parameters withLoad(long value) {
    return new Parameters(weight, priority, value, loadDegradation, distanceFactor, occupancy);
  }

  /** These with another load degradation. */
  public Parameters withLoadDegradation(long value) {
    return new Parameters(weight, priority, load, value, distanceFactor, occupancy);
  }

  /** These with another distance factor. */
  public Parameters withDistanceFactor(long value) {
    return new Parameters(weight, priority, load, loadDegradation, value, occupancy);
  }

  /** These with another occupancy. */
  public Parameters withOccupancy(Occupancy value) {
    return new Parameters(weight, priority, load, loadDegradation, distanceFactor, value);
  }
}
