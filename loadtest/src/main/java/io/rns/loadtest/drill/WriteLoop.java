package io.rns.loadtest.drill;

import io.rns.api.Change;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.history.DrillEvent;
import io.rns.loadtest.history.DrillEvent.Write;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes at a rate, whether the former writes are answered or not, up to a number of concurrent requests. Some entries
 * are changed and removed, some answered requests are repeated, and all unanswered ones.
 */
final class WriteLoop {
  /** More would wait for a connection. */
  static final int MOST_OPEN = 256;
  /** The entries are in directories 0 to 15, which must exist. */
  static final int DIRECTORIES = 16;

  /** Some make two or three requests, or one twice: see {@link #chain}. */
  private static final double REQUESTS_PER_CHAIN = 1.2;

  private static final Duration GIVE_UP = Duration.ofMinutes(3);
  private static final long PAUSE_NANOS = 100_000_000;

  private final RecordedClient client;
  private final BlockingQueue<Write> recent;
  private final String directory;
  private final long intervalNanos;
  private final Semaphore open = new Semaphore(MOST_OPEN);
  private long due = System.nanoTime();
  private long number;

  WriteLoop(RecordedClient client, BlockingQueue<Write> recent, String directory, int rate) {
    this.client = client;
    this.recent = recent;
    this.directory = directory;
    this.intervalNanos = (long) (1e9 * REQUESTS_PER_CHAIN / rate);
  }

  /** Starts the next chain of requests when it is due. For one thread. */
  void next() throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
    // What an outage holds back is not made up for all at once.
    due = Math.max(due + intervalNanos, System.nanoTime() - PAUSE_NANOS);
    open.acquire();
    long chain = number++;
    Thread.startVirtualThread(() -> {
      try {
        chain(chain);
      } finally {
        open.release();
      }
    });
  }

  private void chain(long number) {
    String path = directory + "/" + number % DIRECTORIES + "/n" + number;
    boolean exists = request("a" + number, path, Change.Kind.ADDED);
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (exists && random.nextInt(12) == 0) {
      exists = request("c" + number, path, Change.Kind.CHANGED);
    }
    if (exists && random.nextInt(16) == 0) {
      request("r" + number, path, Change.Kind.REMOVED);
    }
    if (exists && random.nextInt(24) == 0) {
      LockSupport.parkNanos(random.nextLong(20) * PAUSE_NANOS);
      Write unused = client.write(directory + "/a" + number, true, path, Change.Kind.ADDED);
    }
  }

  /** Makes a request until its outcome is known; whether it was done. */
  private boolean request(String id, String path, Change.Kind kind) {
    long giveUp = System.nanoTime() + GIVE_UP.toNanos();
    Write write = client.write(directory + "/" + id, false, path, kind);
    while (write.outcome() instanceof DrillEvent.Unknown && System.nanoTime() < giveUp) {
      LockSupport.parkNanos(PAUSE_NANOS);
      write = client.write(directory + "/" + id, true, path, kind);
    }
    if (write.isAcknowledged()) {
      boolean unused = recent.offer(write);
    }
    return write.isAcknowledged();
  }

  /** Waits for the started chains, which are bounded. */
  void awaitChains() throws InterruptedException {
    Duration most = GIVE_UP.multipliedBy(2);
    if (!open.tryAcquire(MOST_OPEN, most.toSeconds(), TimeUnit.SECONDS)) {
      throw new RnsException(RnsError.TIMEOUT, "writes have not ended within " + most.toSeconds() + " s");
    }
    open.release(MOST_OPEN);
  }
}
