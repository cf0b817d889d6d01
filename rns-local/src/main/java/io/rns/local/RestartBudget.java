package io.rns.local;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * How often something may be restarted before it is given up. Only crashes soon after a start count: something that has
 * served long enough may be restarted without limit. For one thread.
 */
final class RestartBudget {
  private final int restarts;
  private final Duration window;
  private final Duration enough;
  private final InstantSource clock;
  private final ArrayDeque<Instant> used = new ArrayDeque<>();
  private @Nullable Instant servingSince;

  /** Allows {@code restarts} within any {@code window}, not counting those of what had served for {@code enough}. */
  RestartBudget(int restarts, Duration window, Duration enough, InstantSource clock) {
    this.restarts = restarts;
    this.window = window;
    this.enough = enough;
    this.clock = clock;
  }

  /** It serves from now on. */
  void serves() {
    servingSince = clock.instant();
  }

  /** Takes one restart; false when there is none left. */
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
