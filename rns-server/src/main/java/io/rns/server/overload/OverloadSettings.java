package io.rns.server.overload;

/**
 * How many requests are worked at at a time.
 *
 * @param mode what decides
 * @param places the fixed number, or the one that an adaptive limit begins with and does not exceed; 1 or more
 */
public record OverloadSettings(Mode mode, int places) {
  /** No request is rejected. */
  public static final OverloadSettings OFF = new OverloadSettings(Mode.OFF, Integer.MAX_VALUE);

  /** What decides how many. */
  public enum Mode {
    /** As many as come. */
    OFF,
    /** The setting. */
    FIXED,
    /** The times that requests take: where they grow with the number, that is too high. */
    ADAPTIVE
  }

  /** Checks the bounds. */
  public OverloadSettings {
    if (places < 1) {
      throw new IllegalArgumentException(places + " places are fewer than 1");
    }
  }

  /**
   * A fixed limit of capacity / requestCapacity, rounded to the nearest whole number, halves to the even one, and at
   * least 1.
   *
   * @param capacity of the server, in any unit, more than 0
   * @param requestCapacity what one request needs at least, in the same unit, more than 0
   */
  public static int places(long capacity, long requestCapacity) {
    double places = Math.rint((double) capacity / requestCapacity);
    return (int) Math.clamp(places, 1, Integer.MAX_VALUE);
  }
}
