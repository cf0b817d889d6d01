package io.rns.local;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Limits restarts. Only crashes soon after a start count; after it has served long enough, restarts are unlimited. Not
 * thread-safe.
 */
final class RestartBudget {
  private final int restarts;
  private final Duration window;
  private final Duration enough;
  private final InstantSource clock;
  private final ArrayDeque<Instant> used = new ArrayDeque<>();
  private @Nullable Instant servingSince;

  /** Allows {@code restarts} within any {@code window}, not counting restarts after it served for {@code enough}. */
  RestartBudget(int restarts, Duration window, Duration enough, InstantSource clock) {
    this.restarts = restarts;
    this.window = window;
    this.enough = enough;
    this.clock = clock;
  }

  /** Marks the start of serving. */
  void serves() {
    servingSince = clock.instant();
  }

  /** Takes one restart; false if none is left. */
  boolean take() {
    Instant now = clock.instant();
    Instant since = servingSince;
    servingSince = null;
    if (since != null && !since.plus(enough).isAfter(now)) {
      return true;
    }
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
