package io.rns.replication.simulation;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A reentrant lock between threads in virtual time; the longest waiting one gets it. */
final class VirtualLock implements Lock {
  private final VirtualTime time;
  private final ArrayDeque<VirtualTime.Wait> waiting = new ArrayDeque<>();
  private VirtualTime.@Nullable Strand owner;
  private int holds;

  VirtualLock(VirtualTime time) {
    this.time = time;
  }

  @Override
  public void lock() {
    if (!tryLock()) {
      waiting.add(time.nextWait());
      time.park(-1);
    }
  }

  @Override
  public boolean tryLock() {
    VirtualTime.Strand self = time.current();
    if (owner != null && owner != self) {
      return false;
    }
    owner = self;
    holds++;
    return true;
  }

  @Override
  public void unlock() {
    holds--;
    if (holds == 0) {
      VirtualTime.Wait next = waiting.poll();
      owner = next == null ? null : next.strand();
      if (next != null) {
        holds = 1;
        time.wake(next);
      }
    }
  }

  @Override
  public boolean tryLock(long most, TimeUnit unit) {
    if (tryLock()) {
      return true;
    }
    VirtualTime.Wait wait = time.nextWait();
    waiting.add(wait);
    time.park(unit.toNanos(most));
    // Not waiting any more: it was given the lock.
    return !waiting.remove(wait);
  }

  @Override
  public void lockInterruptibly() {
    throw new UnsupportedOperationException("nothing is interrupted");
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("nothing waits for a condition");
  }
}
