package io.rns.loadtest.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a command cleanly after Ctrl-C: interrupts its thread, and keeps the process until the command has cleaned up,
 * within a time limit.
 */
final class StopOnShutdown implements AutoCloseable {
  private final String command;
  private final long patienceSeconds;
  private final CountDownLatch done = new CountDownLatch(1);

  /** Guards a command by name, with a time limit for its cleanup. */
  StopOnShutdown(String command, long patienceSeconds) {
    this.command = command;
    this.patienceSeconds = patienceSeconds;
  }

  /** Starts guarding the calling thread. */
  void begin() {
    Thread thread = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(thread), "stop-on-shutdown"));
  }

  private void stop(Thread thread) {
    if (done.getCount() == 0) {
      return;
    }
    thread.interrupt();
    try {
      if (!done.await(patienceSeconds, TimeUnit.SECONDS)) {
        System.err.println(command + ": cleanup did not finish within " + patienceSeconds + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The command has cleaned up. */
  @Override
  public void close() {
    done.countDown();
  }
}
