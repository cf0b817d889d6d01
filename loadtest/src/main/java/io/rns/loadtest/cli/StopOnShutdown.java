package io.rns.loadtest.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Makes Ctrl-C end a command in good order: the thread that runs it is interrupted, and the process stays until the
 * command has cleaned up, within a bound.
 */
final class StopOnShutdown implements AutoCloseable {
  private final String command;
  private final long patienceSeconds;
  private final CountDownLatch done = new CountDownLatch(1);

  /** For a command of that name, which cleans up in that time. */
  StopOnShutdown(String command, long patienceSeconds) {
    this.command = command;
    this.patienceSeconds = patienceSeconds;
  }

  /** Begins, for the calling thread. */
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
        System.err.println(command + ": cleaning up did not end within " + patienceSeconds + " s");
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
