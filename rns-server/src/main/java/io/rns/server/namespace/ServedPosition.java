package io.rns.server.namespace;

import io.rns.api.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The position whose changes every read of this server sees, and those who wait for it to come.
 *
 * <p>Thread-safe. Who waits holds no database connection, and no platform thread if he runs on a virtual one.
 */
final class ServedPosition {
  /**
   * A state that is served.
   *
   * @param position its last change
   * @param asOf everything that was committed by then is in it, by the clock of the primary
   */
  private record State(Position position, Instant asOf) {}

  /**
   * Somebody who waits.
   *
   * @param wanted what he waits for
   * @param number tells those apart who wait for the same
   * @param thread to be woken
   */
  private record Waiter(Position wanted, long number, Thread thread) {
    static final Comparator<Waiter> ORDER = Comparator.comparing(Waiter::wanted).thenComparingLong(Waiter::number);
  }

  /** Those who wait, who has least to wait for first: only they are woken whose position has come. */
  private final ConcurrentSkipListSet<Waiter> waiting = new ConcurrentSkipListSet<>(Waiter.ORDER);
  private final AtomicLong waiters = new AtomicLong();
  private volatile State state;
  private volatile Runnable hurry = () -> {};

  ServedPosition(Position position, Instant asOf) {
    this.state = new State(position, asOf);
  }

  /** Whom to tell that somebody waits. */
  void onWait(Runnable told) {
    hurry = told;
  }

  Position position() {
    return state.position();
  }

  /** Everything that was committed by then is served. */
  Instant asOf() {
    return state.asOf();
  }

  /** Part of a publication, or word that nothing has changed. */
  void advance(Position position, Instant asOf) {
    state = new State(position, asOf);
    // Each takes himself out: one that has not run yet is woken once more, which does no harm.
    for (Waiter waiter : waiting) {
      if (!hasReached(waiter.wanted())) {
        return;
      }
      LockSupport.unpark(waiter.thread());
    }
  }

  boolean hasReached(Position wanted) {
    Position now = state.position();
    return now.group() != wanted.group() || now.covers(wanted);
  }

  boolean isWaitedFor() {
    return !waiting.isEmpty();
  }

  /** Waits for a position; of another group, there is nothing to wait for. False if it has not come in time. */
  boolean await(Position wanted, Duration most) throws InterruptedException {
    if (hasReached(wanted)) {
      return true;
    }
    long until = System.nanoTime() + most.toNanos();
    Waiter self = new Waiter(wanted, waiters.incrementAndGet(), Thread.currentThread());
    // In the set before it is looked once more: who advances looks into the set afterwards.
    waiting.add(self);
    try {
      hurry.run();
      while (!hasReached(wanted)) {
        long left = until - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        LockSupport.parkNanos(this, left);
        if (Thread.interrupted()) {
          throw new InterruptedException("interrupted while position " + wanted + " was awaited");
        }
      }
      return true;
    } finally {
      waiting.remove(self);
    }
  }
}
