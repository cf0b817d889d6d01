package io.rns.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * The parameters a pool element reports for its selection; each policy reads the ones it needs. All numbers are
 * unsigned 32-bit values, as on the wire (RFC 5356).
 *
 * @param weight its share of the selections of a weighted policy; 0 if it cannot serve
 * @param priority higher comes first
 * @param load 0 to {@link #FULL}, which is 100 %
 * @param loadDegradation the load added by one selection, in units of the load
 * @param distanceFactor the load (or the part of the weight) that one millisecond of distance costs; {@link #FULL} is
 *        100 %
 * @param occupancy the requests it holds and its limit
 */
public record Parameters(
    long weight, long priority, long load, long loadDegradation, long distanceFactor, Occupancy occupancy) {
  /** The largest value: 100 % of a load or a factor. */
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

  /** Returns a copy with another weight. */
  public Parameters withWeight(long value) {
    return new Parameters(value, priority, load, loadDegradation, distanceFactor, occupancy);
  }

  /** Returns a copy with another priority. */
  public Parameters withPriority(long value) {
    return new Parameters(weight, value, load, loadDegradation, distanceFactor, occupancy);
  }

  /** Returns a copy with another load. */
  public Parameters withLoad(long value) {
    return new Parameters(weight, priority, value, loadDegradation, distanceFactor, occupancy);
  }

  /** Returns a copy with another load degradation. */
  public Parameters withLoadDegradation(long value) {
    return new Parameters(weight, priority, load, value, distanceFactor, occupancy);
  }

  /** Returns a copy with another distance factor. */
  public Parameters withDistanceFactor(long value) {
    return new Parameters(weight, priority, load, loadDegradation, value, occupancy);
  }

  /** Returns a copy with another occupancy. */
  public Parameters withOccupancy(Occupancy value) {
    return new Parameters(weight, priority, load, loadDegradation, distanceFactor, value);
  }
}
