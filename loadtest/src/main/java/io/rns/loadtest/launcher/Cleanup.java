package io.rns.loadtest.launcher;

/** Cleans up, also for an interrupted thread, which stays interrupted. */
public interface Cleanup {
  void perform() throws InterruptedException;

  static void run(Cleanup cleanup) {
    boolean interrupted = Thread.interrupted();
    try {
      cleanup.perform();
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
