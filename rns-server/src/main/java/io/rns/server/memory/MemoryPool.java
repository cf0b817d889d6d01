package io.rns.server.memory;

import io.rns.error.Limits;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Memory for all requests that a server is working at: their bodies, the entries read for them, and the parts of
 * answers that wait for a client. Counted in units, so that small requests leave it alone; those that take some are
 * worked at in turns. Safe for use by many threads.
 */
public final class MemoryPool {
  static final int UNIT_BYTES = 32_768;

  /** What the application server and the classes have of the heap, and the connections at their limit. */
  private static final long BASE_BYTES = 128L << 20;

  /** Of the rest. The others are for cached entries, for what is being written, and for what is garbage already. */
  private static final int PART_OF_HEAP = 6;

  /** Of the pool, for bodies: they are held for as long as clients take to send them. */
  private static final int PART_FOR_BODIES = 4;

  /** What one body may need, at most: the body, and what is made of it, taken in a few parts. */
  private static final long LEAST_FOR_BODIES = 2L * Limits.REQUEST_BYTES + 32 * UNIT_BYTES;

  /** Large requests that are worked at, for each processor: more would only keep the small ones waiting. */
  private static final int TURNS_PER_PROCESSOR = 2;

  private final int units;
  private final Semaphore free;
  private final Semaphore bodies;
  private final Semaphore turns = new Semaphore(TURNS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors(), true);

  /** A pool of so many bytes, in whole units; what bodies have comes on top of it. */
  public MemoryPool(long bytes) {
    units = Math.clamp(bytes / UNIT_BYTES, 1, Integer.MAX_VALUE);
    free = new Semaphore(units);
    bodies = new Semaphore((int) Math.ceilDiv(Math.max(LEAST_FOR_BODIES, bytes / PART_FOR_BODIES), UNIT_BYTES), true);
  }

  /** A pool that suits the heap of this process: a sixth of what is to be shared, and an answer's worth at least. */
  public static MemoryPool ofHeap() {
    return new MemoryPool(Math.max(Limits.ANSWER_BYTES, sharedHeap() / PART_OF_HEAP));
  }

  /** What the heap of this process has beyond 128 MiB, which are in use always; half of it if it is small. */
  public static long sharedHeap() {
    long heap = Runtime.getRuntime().maxMemory();
    return Math.max(heap - BASE_BYTES, heap / 2);
  }

  /** What a request holds of it: nothing at first. */
  public RequestMemory open() {
    return new RequestMemory(this);
  }

  /** The units for bodies, first come, first served. */
  Semaphore bodies() {
    return bodies;
  }

  /** The turns of large requests, first come, first served. */
  Semaphore turns() {
    return turns;
  }

  /** How many bytes there are, without those for bodies. */
  public long bytes() {
    return (long) units * UNIT_BYTES;
  }

  /** How many of them are taken now. */
  public long taken() {
    return (long) (units - free.availablePermits()) * UNIT_BYTES;
  }

  /** Takes units, waiting at most so long; false if there were not enough. */
  boolean take(int some, Duration wait) throws InterruptedException {
    return free.tryAcquire(some) || (wait.isPositive() && free.tryAcquire(some, wait.toNanos(), TimeUnit.NANOSECONDS));
  }

  void giveBack(int some) {
    free.release(some);
  }
}
