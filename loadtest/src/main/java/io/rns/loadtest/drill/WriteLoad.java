package io.rns.loadtest.drill;

import io.rns.api.Change;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.history.WriteOutcome;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes at a rate, whether the former ones are answered or not, up to a number of open requests. Some entries are
 * changed and removed, some requests are repeated although they were answered, and all that were not.
 */
final class WriteLoad implements Runnable {
  /** More would wait for a connection. */
  static final int MOST_OPEN = 256;

  /** Some make two or three requests, or one twice: see {@link #chain}. */
  private static final double REQUESTS_PER_CHAIN = 1.2;

  private static final int DIRECTORIES = 16;
  private static final Duration GIVE_UP = Duration.ofMinutes(3);
  private static final long PAUSE_NANOS = 100_000_000;

  private final Writers writers;
  private final Recent recent;
  private final Recorder recorder;
  private final String directory;
  private final long intervalNanos;
  private final Semaphore open = new Semaphore(MOST_OPEN);
  private volatile boolean stopping;

  WriteLoad(Writers writers, Recent recent, Recorder recorder, String directory, int rate) {
    this.writers = writers;
    this.recent = recent;
    this.recorder = recorder;
    this.directory = directory;
    this.intervalNanos = (long) (1e9 * REQUESTS_PER_CHAIN / rate);
  }

  /** The directories that the entries are in, to be made before. */
  static int directories() {
    return DIRECTORIES;
  }

  @Override
  public void run() {
    long next = System.nanoTime();
    for (long number = 0; !stopping; number++) {
      long wait = next - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      }
      // What an outage holds back is not made up for all at once.
      next = Math.max(next + intervalNanos, System.nanoTime() - PAUSE_NANOS);
      open.acquireUninterruptibly();
      if (stopping) {
        open.release();
      } else {
        begin(number);
      }
    }
  }

  private void begin(long number) {
    Thread.ofVirtual()
        .name("drill-write-" + number)
        .start(
            () -> {
              try {
                chain(number);
              } finally {
                open.release();
              }
            });
  }

  private void chain(long number) {
    String path = directory + "/" + number % DIRECTORIES + "/n" + number;
    boolean there = request("a" + number, path, Change.Kind.ADDED);
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (there && random.nextInt(12) == 0) {
      there = request("c" + number, path, Change.Kind.CHANGED);
    }
    if (there && random.nextInt(16) == 0) {
      request("r" + number, path, Change.Kind.REMOVED);
    }
    if (there && random.nextInt(24) == 0) {
      LockSupport.parkNanos(random.nextLong(20) * PAUSE_NANOS);
      writers.call(directory + "/a" + number, true, path, Change.Kind.ADDED);
    }
  }

  /** Makes a request until its outcome is known; whether it was done. */
  private boolean request(String id, String path, Change.Kind kind) {
    long giveUp = recorder.now() + GIVE_UP.toNanos();
    WriteOutcome told = writers.call(directory + "/" + id, false, path, kind);
    while (told instanceof WriteOutcome.Unknown && recorder.now() < giveUp) {
      LockSupport.parkNanos(PAUSE_NANOS);
      told = writers.call(directory + "/" + id, true, path, kind);
    }
    if (told instanceof WriteOutcome.Acknowledged done) {
      recent.add(new Recent.Written(path, done.position()));
    }
    return told instanceof WriteOutcome.Acknowledged;
  }

  /** Begins no more, and waits for what was begun, which is bounded. */
  void stop() throws InterruptedException {
    stopping = true;
    Duration most = GIVE_UP.multipliedBy(2);
    if (!open.tryAcquire(MOST_OPEN, most.toSeconds(), TimeUnit.SECONDS)) {
      throw new RnsException(RnsError.TIMEOUT, "writes have not ended within " + most.toSeconds() + " s");
    }
    open.release(MOST_OPEN);
  }
}
