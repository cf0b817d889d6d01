package io.rns.loadtest.measure;

import org.jspecify.annotations.Nullable;

/** One of the many clients of a load: does its requests one after the other, each on its own thread's account. */
public interface LoadClient extends AutoCloseable {
  /** Gets the next request ready, which is not part of its latency; false if there are no more. */
  boolean prepare();

  /** Does the request that was prepared, to its end; null if it went well. */
  @Nullable
  Failure perform();

  /**
   * When the request that was prepared is due, in nanoseconds since the run began; asked only if
   * {@link RequestArrivals.OfClients}.
   */
  default long dueNanos() {
    return 0;
  }

  /** What kind of request was prepared, if the load has several and they are to be told apart; otherwise empty. */
  default String operation() {
    return "";
  }

  /** Makes a hanging {@link #perform} end soon, unless it is bounded already. Only this is called by another thread. */
  default void cut() {}

  /** How often the connection was made again because the other side had closed it in an orderly way. */
  default long reconnects() {
    return 0;
  }

  /** Closes what belongs to this client alone. */
  @Override
  default void close() {}
}
