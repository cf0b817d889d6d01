package io.rns.server.memory;

import io.rns.error.Limits;
import io.rns.share.FairPlaces;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Memory for all requests that a server is working at: their bodies, the entries read for them, and the parts of
 * answers that wait for a client. Counted in units, so that small requests leave it alone; those that take some are
 * worked at in turns. Callers share it: one may hold three quarters of what others leave, or what one request may need.
 * Safe for use by many threads.
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
  private final FairPlaces shared;
  private final FairPlaces bodies;
  private final FairPlaces turns;

  /** A pool of so many bytes, in whole units; what bodies have comes on top of it. */
  public MemoryPool(long bytes) {
    units = Math.clamp(bytes / UNIT_BYTES, 1, Integer.MAX_VALUE);
    shared = new FairPlaces(units, Math.min(units, Limits.ANSWER_BYTES / UNIT_BYTES));
    bodies =
        new FairPlaces(
            (int) Math.ceilDiv(Math.max(LEAST_FOR_BODIES, bytes / PART_FOR_BODIES), UNIT_BYTES),
            (int) (LEAST_FOR_BODIES / UNIT_BYTES));
    int most = TURNS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    turns = new FairPlaces(most, most);
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

  /**
   * What a request holds of it: nothing at first.
   *
   * @param account finds whose share it takes; few requests need it
   */
  public RequestMemory open(Supplier<String> account) {
    return new RequestMemory(this, account);
  }

  /** The same for a request of which nothing is known. */
  public RequestMemory open() {
    return open(() -> "");
  }

  /** The units for all but bodies. */
  FairPlaces shared() {
    return shared;
  }

  /** The units for bodies. */
  FairPlaces bodies() {
    return bodies;
  }

  /** The turns of large requests. */
  FairPlaces turns() {
    return turns;
  }

  /** How many bytes there are, without those for bodies. */
  public long bytes() {
    return (long) units * UNIT_BYTES;
  }

  /** How many of them are taken now. */
  public long taken() {
    return (long) shared.taken() * UNIT_BYTES;
  }

  /** How many requests were refused because of their caller's own limit. */
  public long refused() {
    return shared.refused() + bodies.refused();
  }

  /** Takes units, waiting at most so long. */
  FairPlaces.Result take(String account, int some, Duration wait) throws InterruptedException {
    return wait.isPositive() ? shared.take(account, some, wait) : shared.tryTake(account, some);
  }
}
