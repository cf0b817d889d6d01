package io.rns.replication.member;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Timing;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long no commit of a primary has ended although replicas are there to acknowledge it: a database whose disk hangs
 * still answers. One thread watches, others ask.
 */
final class CommitWatch {
  /** Longer than a busy disk takes for the beats of a primary. */
  static final Duration STALLED = Duration.ofSeconds(5);

  private final Timing timing;
  private volatile @Nullable Long stalledSince;

  CommitWatch(Timing timing) {
    this.timing = timing;
  }

  /**
   * Watches once more.
   *
   * @param commits whether a commit has just ended, or none could have
   */
  void see(boolean commits) {
    if (commits) {
      stalledSince = null;
    } else if (stalledSince == null) {
      stalledSince = timing.nanoTime();
    }
  }

  /**
   * Checks that commits have not stood still for {@link #STALLED}.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE}
   */
  void check() {
    Long since = stalledSince;
    if (since != null && timing.passed(STALLED, since)) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "the database has answered no commit for " + (timing.nanoTime() - since) / 1_000_000_000 + " s");
    }
  }
}
