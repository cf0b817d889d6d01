package io.rns.server.local;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;

/** How often something may be started again before it is given up. For one thread. */
final class RestartBudget {
  private final int restarts;
  private final Duration window;
  private final InstantSource clock;
  private final ArrayDeque<Instant> used = new ArrayDeque<>();

  /** Allows {@code restarts} within any {@code window}. */
  RestartBudget(int restarts, Duration window, InstantSource clock) {
    this.restarts = restarts;
    this.window = window;
    this.clock = clock;
  }

  /** Takes one restart; false when there is none left. */
  boolean take() {
    Instant now = clock.instant();
    while (!used.isEmpty() && !used.getFirst().isAfter(now.minus(window))) {
      used.removeFirst();
    }
    if (used.size() >= restarts) {
      return false;
    }
    used.addLast(now);
    return true;
  }
}
