package io.rns.server.namespace;

import io.rns.api.Position;
import io.rns.api.Positions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The position that every read of this server reflects, and the threads that wait for it.
 *
 * <p>Thread-safe. Waiting threads hold no database connection and, if virtual, no platform thread.
 */
final class ServedPosition {
  /**
   * A state that is served.
   *
   * @param position its last change
   * @param reflected positions of other server groups that it reflects
   * @param asOf everything that was committed by then is in it, by the clock of the primary
   */
  record State(Position position, Positions reflected, Instant asOf) {}

  /**
   * A waiting thread.
   *
   * @param wanted the awaited position
   * @param number distinguishes waiters for the same position
   * @param thread to be woken
   */
  private record Waiter(Position wanted, long number, Thread thread) {
    static final Comparator<Waiter> ORDER = Comparator.comparing(Waiter::wanted).thenComparingLong(Waiter::number);
  }

  /** Waiters in order of position: only those whose position is reached are woken. */
  private final ConcurrentSkipListSet<Waiter> waiting = new ConcurrentSkipListSet<>(Waiter.ORDER);
  private final AtomicLong waiters = new AtomicLong();
  private volatile State state;
  private volatile Runnable hurry = () -> {};

  ServedPosition(Position position, Positions reflected, Instant asOf) {
    this.state = new State(position, reflected, asOf);
  }

  /** Sets what is notified when a thread waits. */
  void onWait(Runnable told) {
    hurry = told;
  }

  Position position() {
    return state.position();
  }

  State state() {
    return state;
  }

  /** Everything that was committed by then is served. */
  Instant asOf() {
    return state.asOf();
  }

  /** Part of a publication, to be followed by {@link #wake}; or word that nothing has changed. */
  void advance(Position position, Positions reflected, Instant asOf) {
    state = new State(position, reflected, asOf);
  }

  /** Wakes the threads whose position is served. To be called after the publication, for whose end they would wait. */
  void wake() {
    // Each removes itself: a waiter that has not run yet is woken once more, which is harmless.
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
    // In the set before it is looked once more: who wakes looks into the set after the state has advanced.
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
