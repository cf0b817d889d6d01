package io.rns.loadtest.work;

import io.rns.loadtest.measure.Failure;
import org.jspecify.annotations.Nullable;

/**
 * What performs the operations of one client: a connection to a service, or what stands in its place. For one thread.
 */
public interface Session extends AutoCloseable {
  /** Gets an operation ready, which is not part of its latency. */
  void prepare(Call call);

  /** Performs the operation that was prepared, to its end; null if it went well. */
  @Nullable
  Failure perform();

  /** Makes a hanging {@link #perform} end soon, unless it is bounded already. May be called by another thread. */
  default void cut() {}

  default long reconnects() {
    return 0;
  }

  @Override
  default void close() {}

  /** In the place of a service: performs nothing. */
  Session NOTHING =
      new Session() {
        @Override
        public void prepare(Call call) {}

        @Override
        public @Nullable Failure perform() {
          return null;
        }
      };
}
