package io.rns.replication;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The standing of a server as it changes. Thread-safe; a look costs nothing. */
public final class CurrentRole {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile RoleState now;

  /** Until when it was the primary, by {@link System#nanoTime}; empty if it has not been. */
  private volatile OptionalLong ledNanos = OptionalLong.empty();

  /** Begins with a standing. */
  public CurrentRole(RoleState first) {
    now = first;
  }

  /** The standing at this moment. */
  public RoleState now() {
    return now;
  }

  /** Replaces the standing. */
  public void set(RoleState standing) {
    lock.lock();
    try {
      if (now.role() == Role.PRIMARY) {
        ledNanos = OptionalLong.of(System.nanoTime());
      }
      now = standing;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether it ended being the primary no longer ago than this: the next one may be about to begin. */
  boolean endedToLeadWithin(Duration time) {
    OptionalLong led = ledNanos;
    return led.isPresent() && System.nanoTime() - led.getAsLong() < time.toNanos();
  }

  /** Waits until the standing is another one than {@code former}, at most for a while. */
  public void awaitOther(RoleState former, Duration most) throws InterruptedException {
    lock.lock();
    try {
      long nanos = most.toNanos();
      while (now.equals(former) && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }
}
