package io.rns.replication.member;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How long nothing has been heard of a primary. It is heard of when a server says that it is, and when its beats arrive
 * in the database beside this server, which they do also when the two servers cannot reach each other. One thread
 * listens.
 */
final class LeaderWatch {
  private volatile long heardNanos;
  private Instant beat = Instant.EPOCH;

  /**
   * Begins to listen.
   *
   * @param nanoTime now, as {@link System#nanoTime} tells it
   */
  LeaderWatch(long nanoTime) {
    this.heardNanos = nanoTime;
  }

  /**
   * Listens once more.
   *
   * @param heard when a server last said that it is the primary; empty if none did
   * @param copy the copy that gets the beats; null for none
   * @param now this moment
   * @return how long nothing has been heard
   */
  Duration listen(OptionalLong heard, @Nullable MemberCopy copy, long now) {
    return listen(heard, copy == null ? beat : copy.asOf(), now);
  }

  /** The same with the time of the last beat that has arrived. */
  Duration listen(OptionalLong heard, Instant lastBeat, long now) {
    if (!lastBeat.equals(beat)) {
      heardNanos = now;
    } else if (heard.isPresent() && heard.getAsLong() - heardNanos > 0) {
      heardNanos = heard.getAsLong();
    }
    beat = lastBeat;
    return silence(now);
  }

  /** How long nothing has been heard. */
  Duration silence(long now) {
    return Duration.ofNanos(now - heardNanos);
  }
}
