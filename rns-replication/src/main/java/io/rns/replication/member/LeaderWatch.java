package io.rns.replication.member;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How long nothing has been heard of a primary. It is heard of when a server says that it is, and when its beats arrive
 * in the database beside this server, which they do also when the two servers cannot reach each other. A beat counts
 * from its arrival: a replica that has fallen behind reads beats of a primary that was lost long ago. Once nobody
 * listens at the primary's address, neither counts: its database may still send what was written before. One thread
 * listens.
 */
final class LeaderWatch {
  private volatile long heardNanos;
  private Instant beat = Instant.EPOCH;
  private long beatNanos;

  /**
   * Begins to listen.
   *
   * @param nanoTime now, as {@link System#nanoTime} tells it
   */
  LeaderWatch(long nanoTime) {
    this.heardNanos = nanoTime;
    this.beatNanos = nanoTime;
  }

  /**
   * Listens once more.
   *
   * @param heard when a server last said that it is the primary; empty if none did
   * @param copy the copy that gets the beats; null for none
   * @param arrived when a transaction came to the database for the last time, at the latest
   * @param ended whether the process of the primary that writes what arrives is known to have ended
   * @param now this moment
   * @return how long nothing has been heard
   */
  Duration listen(OptionalLong heard, @Nullable MemberCopy copy, long arrived, boolean ended, long now) {
    return listen(heard, copy == null ? beat : copy.asOf(), arrived, ended, now);
  }

  /** The same with the time of the last beat that was applied. */
  Duration listen(OptionalLong heard, Instant lastBeat, long arrived, boolean ended, long now) {
    if (!lastBeat.equals(beat)) {
      beat = lastBeat;
      beatNanos = now;
    }
    if (!ended) {
      hear(Math.min(beatNanos - now, arrived - now) + now);
    }
    heard.ifPresent(this::hear);
    return silence(now);
  }

  private void hear(long nanos) {
    if (nanos - heardNanos > 0) {
      heardNanos = nanos;
    }
  }

  /** How long nothing has been heard. */
  Duration silence(long now) {
    return Duration.ofNanos(now - heardNanos);
  }
}
