package io.rns.loadtest.measure;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A figure of repeated runs, compared with the same figure of former ones.
 *
 * <p>Figures of load vary by factors, so it is their logarithms that are compared, by Welch's test: whether the means
 * of two groups with spreads of their own differ by more than chance explains. What happens to a machine between two
 * runs is in neither spread; a tolerance stands for that.
 *
 * @param before the geometric mean of the former runs
 * @param now that of these
 * @param bound a ratio of now to before that is worse than this is no chance: below 1 where more is better, above 1
 *        where less is
 * @param moreIsBetter which of the two
 */
public record Comparison(double before, double now, double bound, boolean moreIsBetter) {
  /** How seldom chance alone passes the bound: once in a hundred comparisons. */
  private static final double CONFIDENCE = 0.99;

  /** The fewest runs whose spread can be told. */
  public static final int FEWEST_RUNS = 2;

  /** Compares. The tolerance is the part that may be lost whatever the spread. */
  public static Comparison of(List<Double> before, List<Double> now, double tolerance, boolean moreIsBetter) {
    double[] former = logarithms(before);
    double[] latter = logarithms(now);
    double ofFormer = variance(former) / former.length;
    double ofLatter = variance(latter) / latter.length;
    double noise =
        ofFormer + ofLatter == 0 ? 0 : quantile(former, ofFormer, latter, ofLatter) * Math.sqrt(ofFormer + ofLatter);
    double margin = Math.max(noise, -Math.log(1 - tolerance));
    return new Comparison(
        Math.exp(mean(former)), Math.exp(mean(latter)), Math.exp(moreIsBetter ? -margin : margin), moreIsBetter);
  }

  private static double[] logarithms(List<Double> figures) {
    if (figures.size() < FEWEST_RUNS) {
      throw new IllegalArgumentException(figures.size() + " runs are too few to estimate their spread");
    }
    double[] logarithms = figures.stream().mapToDouble(Math::log).toArray();
    if (!Arrays.stream(logarithms).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("figures " + figures + " are not all above 0");
    }
    return logarithms;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  static double variance(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum() / (values.length - 1);
  }

  /** Of Student's distribution with the degrees of freedom of Welch and Satterthwaite. */
  private static double quantile(double[] former, double ofFormer, double[] latter, double ofLatter) {
    double sum = ofFormer + ofLatter;
    double degrees =
        sum * sum / (ofFormer * ofFormer / (former.length - 1) + ofLatter * ofLatter / (latter.length - 1));
    return TDistribution.of(degrees).inverseCumulativeProbability(CONFIDENCE);
  }

  public double ratio() {
    return now / before;
  }

  /** Whether it is worse than before by more than chance and tolerance explain. */
  public boolean isRegression() {
    return moreIsBetter ? ratio() < bound : ratio() > bound;
  }
}
