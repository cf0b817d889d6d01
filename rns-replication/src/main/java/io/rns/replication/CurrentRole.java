package io.rns.replication;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The current role state of a server. Thread-safe; reading takes no lock. */
public final class CurrentRole {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile RoleState now;

  /** Whether it is about to become the primary. */
  private volatile boolean promoting;

  /** Whether its database has not received anything yet from the primary that it is to follow next. */
  private volatile boolean reconnecting;

  /** When it last ceased to be primary, by {@link System#nanoTime}; empty if it never was. */
  private volatile OptionalLong ledNanos = OptionalLong.empty();

  /** Starts with a role state. */
  public CurrentRole(RoleState first) {
    now = first;
  }

  /** The current role state. */
  public RoleState now() {
    return now;
  }

  /** Replaces the role state. */
  public void set(RoleState state) {
    lock.lock();
    try {
      if (now.role() == Role.PRIMARY) {
        ledNanos = OptionalLong.of(System.nanoTime());
      }
      now = state;
      promoting = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** It is about to become the primary, until another role state is set: requests that only a primary answers wait. */
  public void beginPromotion() {
    promoting = true;
  }

  /** Whether it is about to become the primary. */
  public boolean isPromoting() {
    return promoting;
  }

  /** From a change of its source on until its database receives again, reads of what it lacks do not wait for it. */
  public void setReconnecting(boolean reconnecting) {
    this.reconnecting = reconnecting;
  }

  boolean isReconnecting() {
    return reconnecting;
  }

  /** Whether it stepped down within this time: the next primary may be about to take over. */
  boolean endedToLeadWithin(Duration time) {
    OptionalLong led = ledNanos;
    return led.isPresent() && System.nanoTime() - led.getAsLong() < time.toNanos();
  }

  /** Waits until the role state differs from {@code former}, for at most {@code most}. */
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
