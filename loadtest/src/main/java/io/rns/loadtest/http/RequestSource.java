package io.rns.loadtest.http;

import org.jspecify.annotations.Nullable;

/** Gives the requests of one connection. It is used by one thread at a time and need not be thread-safe. */
@FunctionalInterface
public interface RequestSource {
  /**
   * The next request: request line, headers and body.
   *
   * @return the bytes, which stay untouched until the next call; null when there are no more
   */
  byte @Nullable [] next();
}
