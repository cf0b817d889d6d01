package io.rns.loadtest.launcher;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what sends no notice. */
public final class Poll {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration STEP = Duration.ofMillis(2);

  private Poll() {}

  /** Returns as soon as a condition holds, or throws after a minute. */
  public static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new RnsException(RnsError.UNAVAILABLE, "not within " + PATIENCE.toSeconds() + " s: " + what);
      }
      Thread.sleep(STEP.toMillis());
    }
  }
}
