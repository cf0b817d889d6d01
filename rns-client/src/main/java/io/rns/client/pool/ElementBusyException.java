package io.rns.client.pool;

import java.io.IOException;
import java.time.Duration;

/**
 * A pool element turned a request away, which it did not begin: the user goes to the next one at once and does not
 * report it as unreachable.
 */
public final class ElementBusyException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long retryMillis;

  /**
   * A rejection.
   *
   * @param message what the element said
   * @param retryAfter how long the element asks to be left alone; zero if it does not say
   */
  public ElementBusyException(String message, Duration retryAfter) {
    super(message);
    this.retryMillis = Math.max(0, retryAfter.toMillis());
  }

  /** How long the element asks to be left alone; zero if it does not say. */
  public Duration retryAfter() {
    return Duration.ofMillis(retryMillis);
  }
}
