package io.rns.loadtest.sim;

/**
 * What was seen in the measured time of one simulation.
 *
 * @param speed the handling speed: sizes of the requests served over the times they took from their making to their
 *        end, as a share of the elements' mean capacity
 * @param utilisation the share of the pool's capacity that was in use
 * @param failed requests that met a sink and were given up
 * @param handlingSeconds the mean time of a request from its making to its end
 * @param present requests made and not ended, on average over time
 */
public record Observation(
    double speed,
    double utilisation,
    long served,
    long failed,
    long tries,
    long rejections,
    long resolutions,
    double handlingSeconds,
    double present,
    double seconds) {
  public double resolutionsPerRequest() {
    return served == 0 ? 0 : (double) resolutions / served;
  }

  public double rejectedShare() {
    return tries == 0 ? 0 : (double) rejections / tries;
  }

  public double failedShare() {
    return served + failed == 0 ? 0 : (double) failed / (served + failed);
  }
}
