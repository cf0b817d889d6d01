package io.rns.replication;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The machine's time and threads. */
final class SystemTiming implements Timing {
  static final SystemTiming INSTANCE = new SystemTiming();

  private SystemTiming() {}

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while the primary was being changed", e);
    }
  }

  @Override
  public void runAll(List<Runnable> tasks) {
    // Not virtual ones: those would wait for the requests of clients, which are not preempted.
    ThreadFactory factory = Thread.ofPlatform().daemon().name("rns-change").factory();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(factory)) {
      tasks.forEach(threads::execute);
    }
  }

  @Override
  public void start(String name, Runnable task) {
    Thread unused = Thread.ofPlatform().name(name).daemon().start(task);
  }

  @Override
  public Lock newLock() {
    return new ReentrantLock();
  }
}
