package io.rns.replication.simulation;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A reentrant lock between threads in virtual time; the longest waiting one gets it. */
final class VirtualLock implements Lock {
  private final VirtualTime time;
  private final ArrayDeque<VirtualTime.Strand> waiting = new ArrayDeque<>();
  private VirtualTime.@Nullable Strand owner;
  private int holds;

  VirtualLock(VirtualTime time) {
    this.time = time;
  }

  @Override
  public void lock() {
    VirtualTime.Strand self = time.current();
    if (!tryLock()) {
      waiting.add(self);
      while (owner != self) {
        time.park(-1);
      }
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
      owner = waiting.poll();
      if (owner != null) {
        holds = 1;
        time.wake(owner);
      }
    }
  }

  @Override
  public boolean tryLock(long most, TimeUnit unit) {
    throw new UnsupportedOperationException("nothing waits for a lock within a bound");
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
