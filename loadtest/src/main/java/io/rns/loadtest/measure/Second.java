package io.rns.loadtest.measure;

import org.HdrHistogram.Histogram;

/** What was seen in about one second of a load, which ended so many seconds after measuring began. */
public record Second(double at, double perSecond, long failures, double p50Micros, double p99Micros, double maxMicros) {
  static Second of(double at, double length, Histogram latencies, long failures) {
    return new Second(at, latencies.getTotalCount() / length, failures, Measurement.micros(latencies, 50),
        Measurement.micros(latencies, 99), Measurement.micros(latencies, 100));
  }

  /** This one and another one at the same time; of latencies the longer ones. */
  Second beside(Second other) {
    return new Second(
        Math.max(at, other.at),
        perSecond + other.perSecond,
        failures + other.failures,
        Math.max(p50Micros, other.p50Micros),
        Math.max(p99Micros, other.p99Micros),
        Math.max(maxMicros, other.maxMicros));
  }

  /** The same, that much later. */
  Second later(double seconds) {
    return new Second(at + seconds, perSecond, failures, p50Micros, p99Micros, maxMicros);
  }
}
