package io.rns.loadtest.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Runs clients that each do their next request as soon as the former one is done, a thread per client.
 *
 * <p>A client whose request failed pauses for {@value #PAUSE_MILLIS} ms if that may happen again at once (no connection,
 * timeout), so that a dead server is not hammered.
 */
public final class ClosedLoop {
  static final int PAUSE_MILLIS = 100;
  private static final int TICK_MILLIS = 20;

  private final Duration timeout;
  private final long measureFrom;
  private final long measureUntil;
  private final List<Worker> workers = new ArrayList<>();
  private volatile boolean stopped;
  private boolean interrupted;
  private @Nullable Throwable defect;
  private final Processors processors;
  private @Nullable Map<String, Duration> usedBefore;
  private @Nullable Map<String, Duration> usedAfter;

  private ClosedLoop(Schedule schedule, Duration timeout, Processors processors) {
    this.timeout = timeout;
    this.processors = processors;
    measureFrom = System.nanoTime() + schedule.warmUp().toNanos();
    measureUntil = measureFrom + schedule.measured().toNanos();
  }

  /**
   * Runs a load. It ends with the schedule, or when no client has a request left, or when the calling thread is
   * interrupted (and stays so); no request is running then, and the clients are closed.
   *
   * @param timeout after which a request without an answer is cut and counted as failed
   */
  public static Measurement run(List<? extends LoadClient> clients, Schedule schedule, Duration timeout) {
    return run(clients, schedule, timeout, Processors.OWN);
  }

  /**
   * The same, and tells what other processes used meanwhile.
   *
   * @param processors which
   */
  static Measurement run(
      List<? extends LoadClient> clients, Schedule schedule, Duration timeout, Processors processors) {
    return new ClosedLoop(schedule, timeout, processors).run(clients);
  }

  private Measurement run(List<? extends LoadClient> clients) {
    List<Future<?>> running = new ArrayList<>();
    tick();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("load-", 0).factory())) {
      for (LoadClient client : clients) {
        Worker worker = new Worker(client);
        workers.add(worker);
        running.add(threads.submit(worker));
      }
      running.forEach(this::await);
    }
    tick();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (defect != null) {
      throw new IllegalStateException("a client of the load broke down", defect);
    }
    return merged();
  }

  /** Waits for one client, with an eye on all of them; when the load is to stop, too, until nothing runs any more. */
  private void await(Future<?> running) {
    while (true) {
      try {
        running.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        tick();
      } catch (InterruptedException e) {
        interrupted = true;
        stopped = true;
      } catch (ExecutionException e) {
        defect = e.getCause();
        stopped = true;
        return;
      }
    }
  }

  private void tick() {
    long now = System.nanoTime();
    if (usedBefore == null && now - measureFrom >= 0) {
      usedBefore = processors.used();
    }
    if (usedAfter == null && now - measureUntil >= 0) {
      usedAfter = processors.used();
    }
    workers.forEach(worker -> worker.cutIfHanging(now));
  }

  private Measurement merged() {
    long end = Math.min(System.nanoTime(), measureUntil);
    Duration measured = Duration.ofNanos(Math.max(1, end - measureFrom));
    Histogram latencies = Measurement.newHistogram();
    Failures failures = new Failures();
    long reconnects = 0;
    for (Worker worker : workers) {
      latencies.add(worker.latencies);
      failures.addAll(worker.failures);
      reconnects += worker.client.reconnects();
    }
    return new Measurement(latencies, failures, measured, reconnects, used());
  }

  /** What was used in the measured time; nothing if the load ended before it. */
  private Map<String, Duration> used() {
    if (usedBefore == null) {
      return Map.of();
    }
    return Processors.between(usedBefore, usedAfter == null ? processors.used() : usedAfter);
  }

  /** The loop of one client. */
  private final class Worker implements Runnable {
    private static final long IDLE = Long.MIN_VALUE;

    private final LoadClient client;
    private final Histogram latencies = Measurement.newHistogram();
    private final Failures failures = new Failures();
    private volatile long started = IDLE;
    private volatile boolean cut;

    Worker(LoadClient client) {
      this.client = client;
    }

    @Override
    public void run() {
      try (client) {
        while (!stopped && System.nanoTime() - measureUntil < 0 && client.prepare()) {
          request();
        }
      }
    }

    private void request() {
      long start = System.nanoTime();
      started = start;
      Failure failure = client.perform();
      long end = System.nanoTime();
      started = IDLE;
      if (failure == null) {
        cut = false;
        if (end - measureFrom >= 0 && end - measureUntil < 0) {
          Measurement.record(latencies, end - start);
        }
      } else if (!stopped) {
        count(failure);
      }
    }

    private void count(Failure failure) {
      Failure counted =
          cut ? new Failure(FailureKind.TIMEOUT, "no complete answer within " + timeout.toMillis() + " ms") : failure;
      cut = false;
      failures.add(counted.kind(), counted.text());
      if (counted.kind() == FailureKind.CONNECTION || counted.kind() == FailureKind.TIMEOUT) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
      }
    }

    /** Called by the thread that waits. A request that ends in just this moment may be cut, and is a timeout then. */
    void cutIfHanging(long now) {
      long since = started;
      if (stopped) {
        client.cut();
      } else if (since != IDLE && now - since > timeout.toNanos()) {
        cut = true;
        client.cut();
      }
    }
  }
}
