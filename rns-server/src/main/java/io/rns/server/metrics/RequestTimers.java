package io.rns.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.rns.api.Outcome;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The times of the requests of one operation, by outcome. Safe for use by many threads. */
final class RequestTimers {
  private static final Duration[] BUCKETS = {
      Duration.ofNanos(50_000), Duration.ofNanos(250_000), Duration.ofMillis(1), Duration.ofMillis(3),
      Duration.ofMillis(10),
      Duration.ofMillis(30), Duration.ofMillis(100), Duration.ofMillis(300), Duration.ofSeconds(1),
      Duration.ofSeconds(5),
      Duration.ofSeconds(20)
  };

  private final MeterRegistry registry;
  private final String operation;
  private final Timer done;
  /** Each is made when the first request ends so. */
  private final Map<RnsError, Timer> refused = new ConcurrentHashMap<>();

  RequestTimers(MeterRegistry registry, String operation) {
    this.registry = registry;
    this.operation = operation;
    this.done = timer("ok");
  }

  /** A request that began then has ended with an outcome for each item; that of the first refused one counts. */
  void ended(long startNanos, List<? extends Outcome<?>> outcomes) {
    for (int item = 0; item < outcomes.size(); item++) {
      if (outcomes.get(item) instanceof Outcome.Refused<?> refusedItem) {
        record(of(refusedItem), startNanos);
        return;
      }
    }
    record(done, startNanos);
  }

  /** A request that began then has ended. */
  void ended(long startNanos, Outcome<?> outcome) {
    record(of(outcome), startNanos);
  }

  /** A request that began then has failed. */
  void failed(long startNanos, RuntimeException e) {
    failed(startNanos, e instanceof RnsException known ? known.error() : RnsError.INTERNAL);
  }

  /** A request that began then has ended with an error. */
  void failed(long startNanos, RnsError error) {
    record(of(error), startNanos);
  }

  private Timer of(Outcome<?> outcome) {
    return outcome instanceof Outcome.Refused<?> item ? of(item.refusal().error()) : done;
  }

  private Timer of(RnsError error) {
    Timer known = refused.get(error);
    return known != null ? known : refused.computeIfAbsent(error, absent -> timer(absent.name()));
  }

  private static void record(Timer timer, long startNanos) {
    timer.record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(String outcome) {
    return Timer.builder("rns.requests")
        .description("times of requests in the namespace, by operation and outcome")
        .tags("operation", operation, "outcome", outcome)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }
}
