package io.rns.loadtest.work;

import org.jspecify.annotations.Nullable;

/** Supplies the operations of one client, in order. For one thread. */
public interface CallSource {
  /** The next operation, or null if there are no more. */
  @Nullable
  Call next();

  /** When the operation that {@link #next} returned last is due, in nanoseconds since the run began. */
  default long dueNanos() {
    return 0;
  }

  default void begun(Call call) {}

  default void done(Call call, boolean succeeded) {}
}
