package io.rns.cli;

import java.util.concurrent.CountDownLatch;

/**
 * Runs an action if the process is interrupted (Ctrl-C, SIGTERM) before {@link #end}. The exit code is then 128 plus
 * the number of the signal.
 */
final class Interruption {
  private final Thread hook;

  /** Registers the action. It runs concurrently with the interrupted threads, so it must not wait for them. */
  Interruption(Runnable action) {
    hook = new Thread(action, "rns-interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Unregisters the action. Does not return if the process is ending. */
  void end() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending: the caller must not report anything after the action did.
      waitForTheEnd();
    }
  }

  private static void waitForTheEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
