package io.rns.server.namespace;

import io.rns.replication.Lag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long changes of the last minute took from their commit on the primary until they were served here. Thread-safe.
 */
final class LagWindow {
  private static final Duration LENGTH = Duration.ofMinutes(1);

  /** Bounds the memory; a server takes notice of changes about 250 times a second. */
  private static final int MOST_SAMPLES = 20_000;

  private record Sample(Instant at, long lagMillis) {}

  private final Deque<Sample> samples = new ArrayDeque<>();

  synchronized void add(Instant now, Instant committed) {
    // Clocks of different machines may make it negative.
    samples.addLast(new Sample(now, Math.max(0, Duration.between(committed, now).toMillis())));
    forget(now);
  }

  private void forget(Instant now) {
    Instant oldest = now.minus(LENGTH);
    while (!samples.isEmpty() && (samples.size() > MOST_SAMPLES || samples.getFirst().at().isBefore(oldest))) {
      samples.removeFirst();
    }
  }

  /** The lag of the minute before {@code now}. */
  synchronized Lag last(Instant now) {
    forget(now);
    long[] sorted = samples.stream().mapToLong(Sample::lagMillis).sorted().toArray();
    return sorted.length == 0
        ? Lag.NONE
        : new Lag(sorted.length, sorted[rank(sorted.length, 50)], sorted[rank(sorted.length, 99)]);
  }

  private static int rank(int count, int percent) {
    return Math.max(0, (count * percent + 99) / 100 - 1);
  }
}
