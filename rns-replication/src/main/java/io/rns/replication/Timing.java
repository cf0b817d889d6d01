package io.rns.replication;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/** Time and threads of what changes the primary, so that a simulation can supply its own. Thread-safe. */
public interface Timing {
  /** The machine's. */
  static Timing system() {
    return SystemTiming.INSTANCE;
  }

  /** As {@link System#nanoTime}. */
  long nanoTime();

  /**
   * Waits.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if interrupted
   */
  void pause(Duration time);

  /** Runs all tasks concurrently; returns when all have ended. They throw nothing. */
  void runAll(List<Runnable> tasks);

  /** Runs a task on a thread of its own. */
  void start(String name, Runnable task);

  /** A reentrant lock. */
  Lock newLock();

  /**
   * How long to wait by the own clock until a time has passed by any other machine's: they differ by a tenth at most.
   */
  static Duration onOtherClocks(Duration time) {
    return time.plus(time.dividedBy(10));
  }

  /**
   * Waits until a condition holds. It is checked at once and soon again, since writes may wait for this; then more and
   * more rarely.
   *
   * @return whether it held within this time
   */
  default boolean await(Duration most, BooleanSupplier condition) {
    long since = nanoTime();
    Duration pause = Duration.ofMillis(2);
    Duration longest = Duration.ofMillis(16);
    while (!condition.getAsBoolean()) {
      if (passed(most, since)) {
        return false;
      }
      pause(pause);
      pause = pause.compareTo(longest) < 0 ? pause.multipliedBy(2) : pause;
    }
    return true;
  }

  /** Whether this time has passed since a moment told by {@link #nanoTime}. */
  default boolean passed(Duration time, long sinceNanos) {
    return nanoTime() - sinceNanos >= time.toNanos();
  }
}
