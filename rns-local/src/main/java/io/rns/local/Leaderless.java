package io.rns.local;

import io.rns.local.LocalGroupCalls.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Detects that a group has been without a primary for too long, though all of its servers answer. Not thread-safe. */
final class Leaderless {
  /** Longer than any change of primary takes, be it by the databases, an operator or a program; those go first. */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  /** The obstacle to a promotion may be temporary: a database that lost its group needs half a minute to leave it. */
  static final Duration AGAIN = Duration.ofSeconds(5);

  private long due;

  /**
   * Starts the observation.
   *
   * @param nanoTime the current {@link System#nanoTime}
   */
  Leaderless(long nanoTime) {
    this.due = nanoTime + PATIENCE.toNanos();
  }

  /**
   * Whether no server is primary. Not while a server does not answer: it may be the primary, or be restarting with
   * transactions that the others lack.
   *
   * @param looks reports of all servers; empty for a server that does not answer
   */
  static boolean is(List<Optional<View>> looks) {
    return looks.stream().allMatch(look -> look.isPresent() && !look.get().isPrimary());
  }

  /** Whether it is time to promote a server, or to retry. */
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
