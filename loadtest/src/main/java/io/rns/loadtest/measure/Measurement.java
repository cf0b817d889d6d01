package io.rns.loadtest.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What one run of a workload gave.
 *
 * @param latencies in nanoseconds. In a closed loop, of the requests that were answered well within the measured time.
 *        In an open loop, of those that were due in it and were answered well or could not be started until its end
 * @param operations latencies by the names of operations; empty if the load has one operation only
 * @param completed how many requests were answered well within the measured time, whenever they were due
 * @param notStarted how many were due in the measured time of an open loop and found no free client until its end
 * @param seconds the measured time bit by bit
 * @param failures of the whole run, warm-up included
 * @param measured the time in which requests counted
 * @param reconnects how often a connection was made again because the server had closed it
 * @param used what was used of the processors in the measured time: by this process ({@link Processors#GENERATOR}), and
 *        by others
 */
public record Measurement(Histogram latencies, Map<String, Histogram> operations, long completed, long notStarted,
    List<Second> seconds, Failures failures, Duration measured, long reconnects, Map<String, Duration> used) {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int DIGITS = 3;

  /** A run of one operation, of which nothing else is known. */
  public Measurement(
      Histogram latencies, Failures failures, Duration measured, long reconnects, Map<String, Duration> used) {
    this(latencies, Map.of(), latencies.getTotalCount(), 0, List.of(), failures, measured, reconnects, used);
  }

  /** An empty histogram for nanoseconds up to ten minutes, exact to three digits. */
  public static Histogram newHistogram() {
    return new Histogram(LONGEST_NANOS, DIGITS);
  }

  /** The same, for many threads at a time. */
  static Recorder newRecorder() {
    return new Recorder(LONGEST_NANOS, DIGITS);
  }

  /** Counts one latency; what is longer than a histogram can hold counts as the longest. */
  static void record(Recorder recorder, long nanos) {
    recorder.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
  }

  public static void record(Histogram histogram, long nanos) {
    histogram.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
  }

  /** Runs that were made at the same time, as one; a second has the longest latencies of any of them. */
  public static Measurement simultaneous(List<Measurement> runs) {
    int length = runs.stream().mapToInt(run -> run.seconds.size()).min().orElse(0);
    List<Second> seconds = IntStream.range(0, length)
        .mapToObj(at -> runs.stream().map(run -> run.seconds.get(at)).reduce(Second::beside).orElseThrow()).toList();
    Duration measured =
        runs.stream().map(Measurement::measured).max(Comparator.naturalOrder()).orElse(Duration.ofNanos(1));
    // What others used is the same for all.
    return merged(runs, seconds, measured, (one, same) -> one);
  }

  /** Runs that were made one after the other, as one. */
  static Measurement successive(List<Measurement> runs) {
    List<Second> seconds = new ArrayList<>();
    Duration measured = Duration.ZERO;
    for (Measurement run : runs) {
      double begin = measured.toNanos() / 1e9;
      run.seconds.forEach(second -> seconds.add(second.later(begin)));
      measured = measured.plus(run.measured);
    }
    return merged(runs, seconds, measured, Duration::plus);
  }

  private static Measurement merged(List<Measurement> runs, List<Second> seconds, Duration measured,
      BinaryOperator<Duration> usedByOthers) {
    Histogram latencies = newHistogram();
    Map<String, Histogram> operations = new TreeMap<>();
    Failures failures = new Failures();
    Map<String, Duration> used = new LinkedHashMap<>();
    for (Measurement run : runs) {
      latencies.add(run.latencies);
      run.operations.forEach((name, one) -> operations.computeIfAbsent(name, any -> newHistogram()).add(one));
      failures.addAll(run.failures);
      run.used.forEach((name, time) -> used.merge(name, time,
          name.equals(Processors.GENERATOR) ? Duration::plus : usedByOthers));
    }
    long completed = runs.stream().mapToLong(Measurement::completed).sum();
    long notStarted = runs.stream().mapToLong(Measurement::notStarted).sum();
    long reconnects = runs.stream().mapToLong(Measurement::reconnects).sum();
    return new Measurement(latencies, operations, completed, notStarted, List.copyOf(seconds), failures, measured,
        reconnects, used);
  }

  public double throughput() {
    return completed * 1e9 / measured.toNanos();
  }

  /** The latency in microseconds that {@code percent} of the requests did not exceed; 0 if there were none. */
  public double micros(double percent) {
    return micros(latencies, percent);
  }

  public static double micros(Histogram latencies, double percent) {
    return latencies.getTotalCount() == 0 ? 0 : latencies.getValueAtPercentile(percent) / 1e3;
  }

  public double maxMicros() {
    return micros(100);
  }

  /** Processor time per request in microseconds, by who used it; empty if there were no requests. */
  public Map<String, Double> usedMicrosPerRequest() {
    Map<String, Double> micros = new LinkedHashMap<>();
    if (completed > 0) {
      used.forEach((name, time) -> micros.put(name, time.toNanos() / 1e3 / completed));
    }
    return micros;
  }
}
