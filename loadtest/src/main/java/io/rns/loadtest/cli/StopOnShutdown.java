package io.rns.loadtest.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Makes Ctrl-C end a command in good order: the thread that runs it is interrupted, and the process stays until the
 * command has cleaned up, at most a minute.
 */
final class StopOnShutdown implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final CountDownLatch done = new CountDownLatch(1);

  /** Begins, for the calling thread. */
  void begin() {
    Thread command = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(command), "stop-on-shutdown"));
  }

  private void stop(Thread command) {
    if (done.getCount() == 0) {
      return;
    }
    command.interrupt();
    try {
      if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("rns load: cleaning up did not end within " + PATIENCE_SECONDS + " s");
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
