package io.rns.loadtest.pool;

import org.HdrHistogram.Histogram;

/**
 * What users met.
 *
 * @param latencies of the requests that were answered, from when they were due, in nanoseconds
 * @param errors requests that were not answered
 * @param seconds in which they were due
 */
record Outcome(Histogram latencies, long errors, double seconds) {
  /** Both together. */
  Outcome plus(Outcome other) {
    Histogram sum = latencies.copy();
    sum.add(other.latencies);
    return new Outcome(sum, errors + other.errors, seconds + other.seconds);
  }

  double millis(double percent) {
    return latencies.getValueAtPercentile(percent) / 1e6;
  }

  double perSecond() {
    return latencies.getTotalCount() / seconds;
  }
}
