package io.rns.local;

import io.rns.local.LocalGroupCalls.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Tells when a group has been without a primary for too long, though all of its servers answer. Not thread-safe. */
final class Leaderless {
  /** Longer than a change of the primary takes, be it by the databases, an operator or a program: that goes first. */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  /** What keeps one from being made may pass: a database that has lost its group needs half a minute to leave it. */
  static final Duration AGAIN = Duration.ofSeconds(5);

  private long due;

  /**
   * Begins to look.
   *
   * @param nanoTime now, as {@link System#nanoTime} tells it
   */
  Leaderless(long nanoTime) {
    this.due = nanoTime + PATIENCE.toNanos();
  }

  /**
   * Whether none is the primary. One that does not answer may be it, and one that is just being started again has what
   * others may lack.
   *
   * @param looks at all servers; empty of those that do not answer
   */
  static boolean is(List<Optional<View>> looks) {
    return looks.stream().allMatch(look -> look.isPresent() && !look.get().isPrimary());
  }

  /** Whether it is time to make one, or to try that again. */
  boolean isOverdue(List<Optional<View>> looks, long nanoTime) {
    if (!is(looks)) {
      due = nanoTime + PATIENCE.toNanos();
      return false;
    }
    if (nanoTime - due < 0) {
      return false;
    }
    due = nanoTime + AGAIN.toNanos();
    return true;
  }
}
