package io.rns.loadtest.measure;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The ratio of two figures that were measured in turns, with what chance leaves open: pairs of one round are compared,
 * by their logarithms.
 *
 * @param ratio the geometric mean of the rounds; of sums where a figure is 0
 * @param low the lower end of the interval that has the true ratio with 95 %; not a number for fewer than two rounds or
 *        where a figure is 0
 * @param high the upper end; the same
 */
public record RatioInterval(double ratio, double low, double high) {
  private static final double UPPER_TAIL = 0.975;

  /** Compares figures with others of the same rounds. */
  public static RatioInterval of(List<Double> figures, List<Double> others) {
    int rounds = Math.min(figures.size(), others.size());
    double[] logarithms =
        IntStream.range(0, rounds).mapToDouble(i -> Math.log(figures.get(i)) - Math.log(others.get(i))).toArray();
    if (!Arrays.stream(logarithms).allMatch(Double::isFinite)) {
      return new RatioInterval(sum(figures, rounds) / sum(others, rounds), Double.NaN, Double.NaN);
    }
    double mean = Arrays.stream(logarithms).average().orElse(Double.NaN);
    if (rounds < 2) {
      return new RatioInterval(Math.exp(mean), Double.NaN, Double.NaN);
    }
    double margin = TDistribution.of(rounds - 1).inverseCumulativeProbability(UPPER_TAIL)
        * Math.sqrt(Comparison.variance(logarithms) / rounds);
    return new RatioInterval(Math.exp(mean), Math.exp(mean - margin), Math.exp(mean + margin));
  }

  private static double sum(List<Double> figures, int rounds) {
    return figures.subList(0, rounds).stream().mapToDouble(figure -> figure).sum();
  }
}
