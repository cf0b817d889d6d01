package io.rns.cli;

import java.util.concurrent.CountDownLatch;

/**
 * Does something when the process is interrupted (Ctrl-C, SIGTERM) before this ends. The process then ends with 128 and
 * the number of the signal.
 */
final class Interruption {
  private final Thread hook;

  /** Registers what is done. It runs beside the threads that are interrupted, so it must not wait for them. */
  Interruption(Runnable action) {
    hook = new Thread(action, "rns-interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** What follows may not be interrupted any more. Does not return if the process is ending. */
  void end() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending: what would be said after this must not be said as well.
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
