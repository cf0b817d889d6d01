package io.rns.server;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions. */
public final class Eventually {
  private static final long PAUSE_NANOS = 2_000_000;

  private Eventually() {}

  /** Waits until a condition holds. */
  public static void until(String what, Duration bound, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + bound.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + bound + ": " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Waits for a value. */
  public static <T> T get(String what, Duration bound, Callable<Optional<T>> value) throws Exception {
    AtomicReference<Optional<T>> found = new AtomicReference<>(Optional.empty());
    until(what, bound, () -> {
      found.set(value.call());
      return found.get().isPresent();
    });
    return found.get().orElseThrow();
  }
}
