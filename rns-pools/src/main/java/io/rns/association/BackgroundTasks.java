package io.rns.association;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What takes time, in threads of its own, so that one connection does not delay the others. A connection has at most
 * one task at a time, so there are never more than connections.
 */
final class BackgroundTasks implements AutoCloseable {
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("rns-registrar-task").factory());

  private final Queue<Runnable> done = new ConcurrentLinkedQueue<>();
  private final Runnable wake;

  /**
   * No tasks.
   *
   * @param wake makes the owner call {@link #finish}
   */
  BackgroundTasks(Runnable wake) {
    this.wake = wake;
  }

  /**
   * Runs a task.
   *
   * @param after runs by {@link #finish} when the task has ended, also if it failed
   */
  void run(Runnable task, Runnable after) {
    threads.execute(
        () -> {
          try {
            task.run();
          } finally {
            done.add(after);
            wake.run();
          }
        });
  }

  /** Goes on with what has ended, in the thread of the owner. */
  void finish() {
    for (Runnable next = done.poll(); next != null; next = done.poll()) {
      next.run();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
