package io.rns.loadtest.link;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What everything has to pass that goes over a link. */
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private boolean open = true;

  void set(boolean nowOpen) {
    lock.lock();
    try {
      open = nowOpen;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it is open. */
  void pass() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!open) {
        opened.await();
      }
    } finally {
      lock.unlock();
    }
  }
}
