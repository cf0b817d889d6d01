package io.rns.replication.member;

import io.rns.replication.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The server that a change of primary has announced as the next one: requests go there and wait, though it does not
 * report yet that it leads. It changes under the lock of its member.
 */
final class NextPrimary {
  /** A planned change is over by then; after it, requests wait here for a primary. */
  static final Duration LEADS_WITHIN = Duration.ofSeconds(2);

  private final LongSupplier nanoTime;
  private Optional<String> url = Optional.empty();
  private long announcedNanos;

  /**
   * None was announced yet.
   *
   * @param nanoTime as {@link Timing#nanoTime}
   */
  NextPrimary(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void announce(Optional<String> primary) {
    url = primary;
    announcedNanos = nanoTime.getAsLong();
  }

  /** A primary is known. */
  void arrived() {
    url = Optional.empty();
  }

  /** Its address; empty if none was announced or it should have led long since. */
  Optional<String> url() {
    return url.filter(announced -> nanoTime.getAsLong() - announcedNanos < LEADS_WITHIN.toNanos());
  }
}
