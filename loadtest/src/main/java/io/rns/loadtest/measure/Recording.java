package io.rns.loadtest.measure;

import static io.rns.loadtest.measure.RequestArrivals.OfClients.FIRST_RESPONSE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of a run have seen so far. All of them write to it at once: histograms of their own would need 200
 * KiB for each of thousands of clients. Only the thread that owns the run reads it.
 */
final class Recording {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Recorder recent = Measurement.newRecorder();
  private final Map<String, Recorder> operations = new ConcurrentHashMap<>();
  private final LongAdder answered = new LongAdder();
  private final LongAdder notStarted = new LongAdder();
  private final Failures failures = new Failures();

  private final Histogram all = Measurement.newHistogram();
  private final List<Second> seconds = new ArrayList<>();
  private final long begin;
  private @Nullable Histogram former;
  private long intervalBegan;
  private long failuresBefore;

  /** Begins at a moment before which nothing is recorded. */
  Recording(long begin) {
    this.begin = begin;
    intervalBegan = begin;
  }

  void latency(String operation, long nanos) {
    Measurement.record(recent, nanos);
    if (!operation.isEmpty()) {
      Measurement.record(operations.computeIfAbsent(operation, any -> Measurement.newRecorder()), nanos);
    }
  }

  /** Counts what the first request of a client took, well answered or not. */
  void first(long nanos) {
    Measurement.record(operations.computeIfAbsent(FIRST_RESPONSE, any -> Measurement.newRecorder()), nanos);
  }

  /** Counts a request that was answered well within the measured time. */
  void answered() {
    answered.increment();
  }

  /** Counts one that was due and found no free client until the end: it would have taken at least so long. */
  void notStarted(long nanos) {
    Measurement.record(recent, nanos);
    notStarted.increment();
  }

  void failed(Failure failure) {
    failures.add(failure.kind(), failure.text());
  }

  boolean isDue(long now) {
    return now - intervalBegan >= SECOND;
  }

  /** Looks at what came since the last look. */
  Second look(long now) {
    Histogram interval = recent.getIntervalHistogram(former);
    former = interval;
    all.add(interval);
    long failed = failures.total();
    Second second =
        Second.of((now - begin) / 1e9, Math.max(1, now - intervalBegan) / 1e9, interval, failed - failuresBefore);
    failuresBefore = failed;
    intervalBegan = now;
    seconds.add(second);
    return second;
  }

  /** All of it, when no client runs any more; what has come since the last look is in no second. */
  Measurement measurement(Duration measured, long reconnects, Map<String, Duration> used) {
    all.add(recent.getIntervalHistogram());
    Map<String, Histogram> each = new TreeMap<>();
    operations.forEach((name, recorder) -> each.put(name, recorder.getIntervalHistogram()));
    return new Measurement(all, each, answered.sum(), notStarted.sum(), List.copyOf(seconds), failures, measured,
        reconnects, used);
  }
}
