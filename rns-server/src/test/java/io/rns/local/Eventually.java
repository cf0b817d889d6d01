package io.rns.local;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process does, which no clock of ours can hurry. */
final class Eventually {
  private static final Duration BOUND = Duration.ofMinutes(5);
  private static final long POLL_NANOS = 20_000_000;

  private Eventually() {}

  static void holds(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + BOUND.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
