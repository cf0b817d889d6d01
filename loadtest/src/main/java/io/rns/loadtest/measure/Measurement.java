package io.rns.loadtest.measure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What one run of a workload gave.
 *
 * @param latencies in nanoseconds. In a closed loop, of the requests that were answered well within the measured time.
 *        In an open loop, of those that were due in it and were answered well or could not be started until its end
 * @param details what else was seen
 * @param failures of the whole run, warm-up included
 * @param measured the time in which requests counted
 * @param reconnects how often a connection was made again because the server had closed it
 * @param used what was used of the processors in the measured time: by this process ({@link Processors#GENERATOR}), and
 *        by others
 */
public record Measurement(
    Histogram latencies,
    Details details,
    Failures failures,
    Duration measured,
    long reconnects,
    Map<String, Duration> used) {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int DIGITS = 3;

  /** A run of which no details are known. */
  public Measurement(
      Histogram latencies, Failures failures, Duration measured, long reconnects, Map<String, Duration> used) {
    this(latencies, Details.of(latencies), failures, measured, reconnects, used);
  }

  /** An empty histogram for nanoseconds up to ten minutes, exact to three digits. */
  public static Histogram newHistogram() {
    return new Histogram(LONGEST_NANOS, DIGITS);
  }

  /** The same, for many threads at a time. */
  static Recorder newRecorder() {
    return new Recorder(LONGEST_NANOS, DIGITS);
  }

  /** Counts one latency; what is longer than a histogram can tell counts as the longest. */
  static void record(Recorder recorder, long nanos) {
    recorder.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
  }

  /** Counts one latency; what is longer than a histogram can tell counts as the longest. */
  public static void record(Histogram histogram, long nanos) {
    histogram.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
  }

  /** Runs that were made at the same time, as one; of a second it tells the longest latencies that one of them told. */
  public static Measurement simultaneous(List<Measurement> runs) {
    Histogram latencies = newHistogram();
    Failures failures = new Failures();
    Map<String, Duration> used = new TreeMap<>();
    Duration measured = Duration.ofNanos(1);
    long reconnects = 0;
    for (Measurement run : runs) {
      latencies.add(run.latencies);
      failures.addAll(run.failures);
      measured = measured.compareTo(run.measured) < 0 ? run.measured : measured;
      reconnects += run.reconnects;
      // What others used is the same for all.
      run.used.forEach(
          (name, time) -> used.merge(name, time, name.equals(Processors.GENERATOR) ? Duration::plus : (a, b) -> a));
    }
    Details details = Details.simultaneous(runs.stream().map(Measurement::details).toList());
    return new Measurement(latencies, details, failures, measured, reconnects, used);
  }

  /** How many requests were answered well within the measured time. */
  public long completed() {
    return details.answered();
  }

  /** Requests answered well per second. */
  public double throughput() {
    return completed() * 1e9 / measured.toNanos();
  }

  /** The latency in microseconds that {@code percent} of the requests did not exceed; 0 if there were none. */
  public double micros(double percent) {
    return micros(latencies, percent);
  }

  /** The same of any latencies. */
  public static double micros(Histogram latencies, double percent) {
    return latencies.getTotalCount() == 0 ? 0 : latencies.getValueAtPercentile(percent) / 1e3;
  }

  /** The longest latency in microseconds. */
  public double maxMicros() {
    return micros(100);
  }

  /** Processor time per request in microseconds, by who used it; empty if there were no requests. */
  public Map<String, Double> usedMicrosPerRequest() {
    Map<String, Double> micros = new LinkedHashMap<>();
    if (completed() > 0) {
      used.forEach((name, time) -> micros.put(name, time.toNanos() / 1e3 / completed()));
    }
    return micros;
  }
}
