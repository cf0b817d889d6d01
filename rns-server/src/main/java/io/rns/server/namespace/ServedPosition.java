package io.rns.server.namespace;

import io.rns.api.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

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

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private volatile State state;
  private final AtomicInteger waiting = new AtomicInteger();
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
    if (waiting.get() > 0) {
      lock.lock();
      try {
        advanced.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  boolean hasReached(Position wanted) {
    Position now = state.position();
    return now.group() != wanted.group() || now.sequence() >= wanted.sequence();
  }

  boolean isWaitedFor() {
    return waiting.get() > 0;
  }

  /** Waits for a position; of another group, there is nothing to wait for. False if it has not come in time. */
  boolean await(Position wanted, Duration most) throws InterruptedException {
    if (hasReached(wanted)) {
      return true;
    }
    lock.lock();
    try {
      waiting.incrementAndGet();
      hurry.run();
      long nanos = most.toNanos();
      while (!hasReached(wanted)) {
        if (nanos <= 0) {
          return false;
        }
        nanos = advanced.awaitNanos(nanos);
      }
      return true;
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }
}
