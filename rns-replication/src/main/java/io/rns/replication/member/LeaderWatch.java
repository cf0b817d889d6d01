package io.rns.replication.member;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long nothing has been heard of a primary. It is heard of when a server says that it is, and when its beats arrive
 * in the database beside this server, which they do also when the two servers cannot reach each other. Not thread-safe.
 */
final class LeaderWatch {
  private long heardNanos;
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
   * @param known whether a server says that it is the primary
   * @param copy the copy that gets the beats; null for none
   * @param nanoTime now
   * @return how long nothing has been heard
   */
  Duration listen(boolean known, @Nullable MemberCopy copy, long nanoTime) {
    return listen(known, copy == null ? beat : copy.asOf(), nanoTime);
  }

  /** The same with the time of the last beat that has arrived. */
  Duration listen(boolean known, Instant lastBeat, long nanoTime) {
    if (known || !lastBeat.equals(beat)) {
      heardNanos = nanoTime;
    }
    beat = lastBeat;
    return Duration.ofNanos(nanoTime - heardNanos);
  }
}
