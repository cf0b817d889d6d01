package io.rns.loadtest.launcher;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.function.Supplier;

/** Waits for what sends no notice. */
public final class Poll {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration STEP = Duration.ofMillis(2);

  private Poll() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws InterruptedException;
  }

  /** Returns as soon as a condition holds, or throws after a minute. */
  public static void until(String what, Condition condition) throws InterruptedException {
    until(() -> what, PATIENCE, STEP, condition);
  }

  /**
   * Returns as soon as a condition holds.
   *
   * @param what the condition, and why it does not hold
   * @param patience after this it gives up
   * @param step the pause between two looks
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it has not held in time
   */
  public static void until(Supplier<String> what, Duration patience, Duration step, Condition condition)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) {
        throw new RnsException(RnsError.UNAVAILABLE, "not within " + patience.toSeconds() + " s: " + what.get());
      }
      Thread.sleep(step);
    }
  }
}
