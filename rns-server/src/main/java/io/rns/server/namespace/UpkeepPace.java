package io.rns.server.namespace;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When a step of upkeep may delay writes. One that begins between an answer and the next request of the same client
 * delays each of its requests, so the writer counts as idle only after a pause that is longer than such a gap. Under
 * load steps are so rare that they delay few requests, but their number grows with that of the requests, which is what
 * upkeep has to clear away. Belongs to the writer's thread.
 */
final class UpkeepPace {
  /** How long no request has come when the writer is idle: a client's time between two requests, also of a far one. */
  static final Duration QUIET = Duration.ofMillis(50);

  /** Under load, between two steps at least: upkeep has a fifth of the writer's time at most. */
  static final Duration BETWEEN_STEPS = Duration.ofMillis(40);

  /** Under load, between two steps: a client that writes alone meets one with less than 1 % of its requests. */
  static final int REQUESTS_BETWEEN_STEPS = 200;

  /** An item of a request leaves one row of a kind to delete some time; two kinds of steps take turns. */
  private static final int OWED_ROWS_PER_ITEM = 2;

  /** Under load, between two steps at most, however few requests come. */
  static final Duration MOST_BETWEEN_STEPS = Duration.ofMillis(500);

  private final LongSupplier nanos;
  private long lastRequest;
  private long lastStep;
  private int requests;
  private long items;

  /**
   * The pace of a writer that is idle.
   *
   * @param nanos the time, as {@link System#nanoTime}
   */
  UpkeepPace(LongSupplier nanos) {
    this.nanos = nanos;
    this.lastStep = nanos.getAsLong();
    this.lastRequest = lastStep - QUIET.toNanos();
  }

  /** So many requests have been answered just now, which had so many items. */
  void noteRequests(int answered, int answeredItems) {
    if (answered > 0) {
      requests += answered;
      items += answeredItems;
      lastRequest = nanos.getAsLong();
    }
  }

  /** A step has ended. */
  void noteStep() {
    requests = 0;
    items = 0;
    lastStep = nanos.getAsLong();
  }

  /** How many rows the next step has to delete, though a request waits, so that upkeep keeps pace with requests. */
  long owedRows() {
    return OWED_ROWS_PER_ITEM * items;
  }

  /** Whether a step may begin. */
  boolean allowsStep() {
    long since = nanos.getAsLong() - lastStep;
    boolean dueUnderLoad =
        since >= MOST_BETWEEN_STEPS.toNanos()
            || (since >= BETWEEN_STEPS.toNanos() && requests >= REQUESTS_BETWEEN_STEPS);
    return dueUnderLoad || untilIdle() <= 0;
  }

  private long untilIdle() {
    return lastRequest + QUIET.toNanos() - nanos.getAsLong();
  }

  /** How long to wait for a request before the next step, in milliseconds, at least 1. */
  long pauseMillis() {
    return 1 + TimeUnit.NANOSECONDS.toMillis(Math.max(0, untilIdle()));
  }
}
