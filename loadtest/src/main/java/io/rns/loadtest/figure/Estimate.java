package io.rns.loadtest.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A mean of repetitions.
 *
 * @param halfWidth the true mean is within this of it with a confidence of 95 % (Student's t); 0 for a single
 *        repetition, of which nothing is known
 */
public record Estimate(double mean, @JsonProperty("ci95") double halfWidth) {
  private static final double CONFIDENCE = 0.95;

  /** Of one figure of each repetition, at least one. */
  public static <T> Estimate of(List<T> repetitions, ToDoubleFunction<T> figure) {
    double[] values = repetitions.stream().mapToDouble(figure).toArray();
    int n = values.length;
    double mean = Arrays.stream(values).average().orElseThrow();
    if (n == 1) {
      return new Estimate(mean, 0);
    }
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    double quantile = TDistribution.of(n - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    return new Estimate(mean, quantile * Math.sqrt(squares / (n - 1) / n));
  }
}
