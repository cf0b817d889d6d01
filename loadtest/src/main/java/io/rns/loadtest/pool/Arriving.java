package io.rns.loadtest.pool;

import io.rns.error.RnsException;
import io.rns.loadtest.measure.Measurement;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Requests that come when they come, however long the others take: at exponential intervals, one or a burst each time.
 * The same seed gives the same times and the same requests.
 *
 * @param perSecond requests on average
 * @param burst how many come at once
 * @param sizes what a request takes at a server of ordinary speed
 * @param seed of all that is drawn
 */
record Arriving(double perSecond, int burst, Sizes sizes, long seed) {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Sends requests; those of the warm-up do not count. Waits for the last one. */
  Outcome run(Balancer balancer, Duration warmUp, Duration measured) throws InterruptedException {
    return run(balancer, warmUp, measured, () -> false);
  }

  /** The same, unless it is stopped before; then the rate means nothing. */
  Outcome run(Balancer balancer, Duration warmUp, Duration measured, BooleanSupplier stopped)
      throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    Histogram latencies = new ConcurrentHistogram(LONGEST_NANOS, 3);
    LongAdder errors = new LongAdder();
    long from = System.nanoTime() + warmUp.toNanos();
    long until = from + measured.toNanos();
    try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long due = System.nanoTime(); due - until < 0 && !stopped.getAsBoolean(); due += interval(random)) {
        while (due - System.nanoTime() > 0) {
          LockSupport.parkNanos(due - System.nanoTime());
          if (Thread.interrupted()) {
            requests.shutdownNow();
            throw new InterruptedException("while users made requests");
          }
        }
        long at = due;
        for (int i = 0; i < burst; i++) {
          long nanos = sizes.draw(random);
          requests.execute(() -> send(balancer, nanos, at, at - from >= 0, latencies, errors));
        }
      }
    }
    return new Outcome(latencies, errors.sum(), measured.toNanos() / 1e9);
  }

  private long interval(SplittableRandom random) {
    return Math.round(-Math.log(1 - random.nextDouble()) * burst * 1e9 / perSecond);
  }

  private static void send(Balancer balancer, long nanos, long due, boolean counts, Histogram latencies,
      LongAdder errors) {
    try {
      balancer.send(nanos);
      if (counts) {
        Measurement.record(latencies, System.nanoTime() - due);
      }
    } catch (IOException | RnsException e) {
      if (counts) {
        errors.increment();
      }
    }
  }
}
