package io.rns.loadtest;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Work that goes on in a thread of its own while something is measured. */
final class Background {
  private Background() {}

  /** What is measured while the work goes on. */
  interface Measured<T> {
    T run() throws InterruptedException;
  }

  /**
   * Measures while work goes on.
   *
   * @param work goes on until its thread is interrupted
   * @throws IllegalStateException with what the work threw, if it did
   * @throws InterruptedException if the calling thread was interrupted
   */
  static <T> T during(Runnable work, Measured<T> measured) throws InterruptedException {
    FutureTask<Void> running = new FutureTask<>(work, null);
    Thread thread = Thread.ofPlatform().name("background").daemon().start(running);
    T result;
    try {
      result = measured.run();
    } finally {
      thread.interrupt();
    }
    try {
      running.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("what ran in the background broke down", e.getCause());
    }
    return result;
  }
}
