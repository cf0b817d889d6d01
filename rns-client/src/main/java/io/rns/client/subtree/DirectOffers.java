package io.rns.client.subtree;

import io.rns.client.call.Ticker;
import java.time.Duration;

/**
 * Whether the requests of a session let a front send them on to a server: not for a minute after such a server has not
 * answered. Thread-safe.
 */
public final class DirectOffers {
  static final Duration PAUSE = Duration.ofMinutes(1);

  private final Ticker ticker;
  private volatile boolean failed;
  private volatile long failedAt;

  /** Offers from the beginning. */
  public DirectOffers(Ticker ticker) {
    this.ticker = ticker;
  }

  boolean areMade() {
    return !failed || ticker.nanos() - failedAt > PAUSE.toNanos();
  }

  void failed() {
    failedAt = ticker.nanos();
    failed = true;
  }
}
