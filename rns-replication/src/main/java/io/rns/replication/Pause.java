package io.rns.replication;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;

/** Waits between two polls of a member. */
final class Pause {
  private Pause() {}

  static void of(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while the primary was being changed", e);
    }
  }
}
