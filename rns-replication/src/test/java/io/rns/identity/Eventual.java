package io.rns.identity;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what comes in time. */
final class Eventual {
  private static final long PAUSE_NANOS = 50_000_000;

  private Eventual() {}

  static void until(Duration most, BooleanSupplier condition) {
    long end = System.nanoTime() + most.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        fail("not within " + most);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
