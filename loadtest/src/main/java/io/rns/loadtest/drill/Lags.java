package io.rns.loadtest.drill;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** How far replicas say that they were behind. Safe for use by many threads. */
final class Lags {
  private record Sample(double p50Millis, double p99Millis) {}

  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();

  void add(View replica) {
    samples.add(new Sample(replica.p50Millis(), replica.p99Millis()));
  }

  /** The median of the samples' p50, in milliseconds; 0 without samples. */
  double usualP50() {
    double[] sorted = samples.stream().mapToDouble(Sample::p50Millis).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  /** The median of the samples' p99, in milliseconds; 0 without samples. */
  double usualP99() {
    double[] sorted = samples.stream().mapToDouble(Sample::p99Millis).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  /** The highest p99, in milliseconds, and so that of the worst minute; 0 without samples. */
  double worstP99() {
    return samples.stream().mapToDouble(Sample::p99Millis).max().orElse(0);
  }
}
