package io.rns.loadtest.drill;

import io.rns.api.Change;
import java.util.concurrent.locks.LockSupport;

/** Asks one server again and again to take a write itself: only the primary may. */
final class DirectWrites implements Runnable {
  private static final long PAUSE_NANOS = 100_000_000;

  private final Writers writers;
  private final String directory;
  private volatile boolean stopping;

  DirectWrites(Writers writers, String directory) {
    this.writers = writers;
    this.directory = directory;
  }

  @Override
  public void run() {
    for (long number = 0; !stopping; number++) {
      writers.call(directory + "/d" + number, false, directory + "/n" + number, Change.Kind.ADDED);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  void stop() {
    stopping = true;
  }
}
