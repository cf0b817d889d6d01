package io.rns.server.group;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Handover;
import io.rns.replication.Timing;
import java.time.Duration;
import java.util.function.Supplier;

/** Repeats a change of the primary that meets another one, perhaps an automatic failover: that one is given time. */
record ChangeRetry(Timing timing) {
  static final Duration MOST = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(500);

  /**
   * Runs a change.
   *
   * @throws RnsException whatever the change throws; {@link RnsError#NOT_PRIMARY} if it has met other changes for
   *         {@link #MOST}
   */
  Handover.Result run(Supplier<Handover.Result> change) {
    long since = timing.nanoTime();
    while (true) {
      try {
        return change.get();
      } catch (RnsException e) {
        if (e.error() != RnsError.NOT_PRIMARY) {
          throw e;
        }
        if (timing.passed(MOST, since)) {
          throw new RnsException(e.error(), e.getMessage() + " (repeated for " + MOST.toSeconds() + " s)", e);
        }
        timing.pause(PAUSE);
      }
    }
  }
}
