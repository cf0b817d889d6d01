package io.rns.loadtest.measure;

import io.rns.loadtest.measure.RequestArrivals.Moments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run of a load: clients with a thread each, which begin their requests when the {@link RequestArrivals} say.
 *
 * <p>Up to {@value #MOST_PLATFORM_THREADS} clients have threads of the system, which cost less processor time per
 * request; more have virtual ones, which cost less memory.
 *
 * <p>A client whose request failed pauses for {@value #PAUSE_MILLIS} ms if that may happen again at once (no
 * connection, timeout), so that a dead server is not hammered.
 */
public final class LoadRun {
  /** Where a run gets its time from. Thread-safe. */
  interface Clock {
    Clock OF_THE_SYSTEM = new Clock() {
    };

    default long nanos() {
      return System.nanoTime();
    }

    /** Lets that much time pass, or less. */
    default void pause(long nanos) {
      LockSupport.parkNanos(nanos);
    }
  }

  static final int PAUSE_MILLIS = 100;
  static final int MOST_PLATFORM_THREADS = 256;
  private static final int TICK_MILLIS = 20;

  private final Clock clock;
  private final RequestArrivals arrivals;
  private final Duration timeout;
  private final Observer observer;
  private final long begin;
  private final long measureFrom;
  /** Earlier than planned when the run is stopped. */
  private volatile long measureUntil;
  private final Recording recording;
  /** Of an open loop. */
  private final @Nullable Moments moments;
  private final List<Worker> workers = new ArrayList<>();
  private volatile boolean stopped;
  private boolean interrupted;
  private @Nullable Throwable defect;
  private @Nullable Map<String, Duration> usedBefore;
  private @Nullable Map<String, Duration> usedAfter;

  private LoadRun(RequestArrivals arrivals, Schedule schedule, Duration timeout, Observer observer, Clock clock) {
    this.clock = clock;
    this.arrivals = arrivals;
    this.timeout = timeout;
    this.observer = observer;
    begin = clock.nanos();
    moments = arrivals instanceof RequestArrivals.Open open ? open.from(begin) : null;
    measureFrom = begin + schedule.warmUp().toNanos();
    measureUntil = measureFrom + schedule.measured().toNanos();
    recording = new Recording(measureFrom);
  }

  /**
   * Runs a load in a closed loop without pauses. It ends with the schedule, or when no client has a request left, or
   * when the calling thread is interrupted (and stays so); no request is running then, and the clients are closed.
   */
  public static Measurement run(List<? extends LoadClient> clients, Schedule schedule, Duration timeout) {
    return run(clients, RequestArrivals.AT_ONCE, schedule, timeout, Observer.NONE, Clock.OF_THE_SYSTEM);
  }

  /** The same with any arrivals, observed, by any clock. */
  static Measurement run(
      List<? extends LoadClient> clients,
      RequestArrivals arrivals,
      Schedule schedule,
      Duration timeout,
      Observer observer,
      Clock clock) {
    return new LoadRun(arrivals, schedule, timeout, observer, clock).run(clients);
  }

  private Measurement run(List<? extends LoadClient> clients) {
    List<Future<?>> running = new ArrayList<>();
    tick();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(threads(clients.size()))) {
      for (LoadClient client : clients) {
        workers.add(new Worker(client));
      }
      workers.forEach(worker -> running.add(threads.submit(worker)));
      running.forEach(this::await);
    }
    tick();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (defect != null) {
      throw new IllegalStateException("a client of the load broke down", defect);
    }
    return measurement();
  }

  private static ThreadFactory threads(int clients) {
    Thread.Builder builder = clients > MOST_PLATFORM_THREADS ? Thread.ofVirtual() : Thread.ofPlatform();
    return builder.name("load-", 0).factory();
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
        stop();
      } catch (ExecutionException e) {
        defect = e.getCause();
        stop();
        return;
      }
    }
  }

  private void stop() {
    measureUntil = earlier(clock.nanos(), measureUntil);
    stopped = true;
    workers.forEach(Worker::wake);
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  private void tick() {
    long now = clock.nanos();
    if (usedBefore == null && now - measureFrom >= 0) {
      usedBefore = observer.processors().used();
    }
    if (usedAfter == null && now - measureUntil >= 0) {
      usedAfter = observer.processors().used();
    }
    if (now - measureUntil < 0 && recording.isDue(now)) {
      observer.seconds().accept(recording.look(now));
    }
    workers.forEach(worker -> worker.cutIfHanging(now));
  }

  private Measurement measurement() {
    long end = earlier(clock.nanos(), measureUntil);
    Duration measured = Duration.ofNanos(Math.max(1, end - measureFrom));
    long reconnects = workers.stream().mapToLong(worker -> worker.client.reconnects()).sum();
    return recording.measurement(measured, reconnects, used());
  }

  /** What was used in the measured time; nothing if the load ended before it. */
  private Map<String, Duration> used() {
    if (usedBefore == null) {
      return Map.of();
    }
    return Processors.between(usedBefore, usedAfter == null ? observer.processors().used() : usedAfter);
  }

  private boolean isMeasured(long moment) {
    return moment - measureFrom >= 0 && moment - measureUntil < 0;
  }

  private final class Worker implements Runnable {
    private static final long IDLE = Long.MIN_VALUE;

    private final LoadClient client;
    private volatile @Nullable Thread thread;
    private volatile long started = IDLE;
    /** When the last request began; for the thread of this client. */
    private long began;
    private volatile boolean cut;

    Worker(LoadClient client) {
      this.client = client;
    }

    @Override
    public void run() {
      thread = Thread.currentThread();
      try (client) {
        if (moments != null) {
          inOpenLoop(moments);
        } else if (arrivals instanceof RequestArrivals.OfClients) {
          asTheClientSays();
        } else {
          inClosedLoop();
        }
      }
    }

    private void inClosedLoop() {
      long think = arrivals instanceof RequestArrivals.Closed closed ? closed.think().toNanos() : 0;
      while (!stopped && clock.nanos() - measureUntil < 0 && client.prepare()) {
        Failure failure = request();
        long end = clock.nanos();
        if (failure == null && isMeasured(end)) {
          recording.latency(client.operation(), end - began);
          recording.answered();
        }
        if (think > 0) {
          waitUntil(earlier(end + think, measureUntil));
        }
      }
    }

    private void inOpenLoop(Moments when) {
      for (long due = when.next(); due - measureUntil < 0; due = when.next()) {
        if (clock.nanos() - measureUntil >= 0) {
          if (isMeasured(due)) {
            recording.notStarted(measureUntil - due);
          }
        } else if (!client.prepare()) {
          return;
        } else {
          waitUntil(due);
          requestDue(due);
        }
      }
      waitUntil(measureUntil);
    }

    private void asTheClientSays() {
      boolean first = true;
      while (!stopped && clock.nanos() - measureUntil < 0 && client.prepare()) {
        long due = begin + client.dueNanos();
        waitUntil(due);
        requestDue(due);
        if (first && !stopped) {
          recording.first(clock.nanos() - due);
          first = false;
        }
      }
    }

    private void requestDue(long due) {
      Failure failure = stopped ? null : request();
      long end = clock.nanos();
      if (failure == null && !stopped) {
        if (isMeasured(due)) {
          recording.latency(client.operation(), end - due);
        }
        if (isMeasured(end)) {
          recording.answered();
        }
      }
    }

    private @Nullable Failure request() {
      long start = clock.nanos();
      began = start;
      started = start;
      Failure failure = client.perform();
      started = IDLE;
      if (failure == null) {
        cut = false;
      } else if (!stopped) {
        count(failure);
      }
      return failure;
    }

    private void count(Failure failure) {
      Failure counted =
          cut ? new Failure(FailureKind.TIMEOUT, "no complete answer within " + timeout.toMillis() + " ms") : failure;
      cut = false;
      recording.failed(counted);
      if (counted.kind() == FailureKind.CONNECTION || counted.kind() == FailureKind.TIMEOUT) {
        waitUntil(clock.nanos() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
      }
    }

    private void waitUntil(long moment) {
      for (long left = moment - clock.nanos(); left > 0 && !stopped; left = moment - clock.nanos()) {
        clock.pause(left);
      }
    }

    /** Ends a pause when the load is stopped. */
    void wake() {
      LockSupport.unpark(thread);
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
