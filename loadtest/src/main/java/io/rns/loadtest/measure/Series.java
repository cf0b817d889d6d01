package io.rns.loadtest.measure;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The runs of one workload, one per round; at least one. */
public record Series(Workload workload, List<Measurement> runs) {
  /** Requests per second: the median of the rounds. */
  public double throughput() {
    return median(Measurement::throughput);
  }

  public double slowest() {
    return runs.stream().mapToDouble(Measurement::throughput).min().orElse(0);
  }

  public double fastest() {
    return runs.stream().mapToDouble(Measurement::throughput).max().orElse(0);
  }

  public double itemsPerSecond() {
    return throughput() * workload.itemsPerRequest();
  }

  /** How many times the items per second of another workload, compared round by round: the median. */
  public double ratioTo(Series other) {
    double[] ratios = new double[Math.min(runs.size(), other.runs.size())];
    for (int i = 0; i < ratios.length; i++) {
      double own = runs.get(i).throughput() * workload.itemsPerRequest();
      ratios[i] = own / (other.runs.get(i).throughput() * other.workload.itemsPerRequest());
    }
    return median(ratios);
  }

  public double median(ToDoubleFunction<Measurement> figure) {
    return median(runs.stream().mapToDouble(figure).toArray());
  }

  /** All rounds together, as one run. */
  public Measurement together() {
    return Measurement.successive(runs);
  }

  /** The value in the middle; of two, their mean; not a number if there is none. */
  public static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
