package io.rns.replication.member;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long nothing has been heard of a primary. It is heard of when a server says that it is, and when its beats arrive
 * in the database beside this server, which they do also when the two servers cannot reach each other. A beat counts
 * from its arrival: a replica that has fallen behind reads beats of a primary that was lost long ago. Once nobody
 * listens at the primary's address, neither counts: its database may still send what was written before. Nor does the
 * time in which this server itself stood still, as in a pause of its machine or of its virtual machine: after that it
 * would find everybody silent. One thread listens.
 */
final class LeaderWatch {
  /** Two turns that are further apart than this show that this server stood still: they come four times a second. */
  static final Duration LATE = Duration.ofMillis(500);

  private volatile long heardNanos;
  private volatile long turnNanos;
  private Instant beat = Instant.EPOCH;
  private long beatNanos;

  /**
   * Begins to listen.
   *
   * @param nanoTime now, as {@link System#nanoTime} tells it
   */
  LeaderWatch(long nanoTime) {
    this.heardNanos = nanoTime;
    this.turnNanos = nanoTime;
    this.beatNanos = nanoTime;
  }

  /**
   * Begins a turn, in which it may listen.
   *
   * @param now this moment
   */
  void turn(long now) {
    hear(heardNanos + stoodStill(now));
    turnNanos = now;
  }

  private long stoodStill(long now) {
    return Math.max(0, now - turnNanos - LATE.toNanos());
  }

  /**
   * Listens once more to the beats.
   *
   * @param copy the copy that gets the beats; null for none
   * @param arrived when a transaction came to the database for the last time, at the latest
   * @param ended whether the process of the primary that writes what arrives is known to have ended
   * @param now this moment
   * @return how long nothing has been heard
   */
  Duration listen(@Nullable MemberCopy copy, long arrived, boolean ended, long now) {
    return listen(copy == null ? beat : copy.asOf(), arrived, ended, now);
  }

  /** The same with the time of the last beat that was applied. */
  Duration listen(Instant lastBeat, long arrived, boolean ended, long now) {
    if (!lastBeat.equals(beat)) {
      beat = lastBeat;
      beatNanos = now;
    }
    if (!ended) {
      hear(Math.min(beatNanos - now, arrived - now) + now);
    }
    return silence(now);
  }

  /** Hears of a primary: a server has said since that moment that it is. */
  void hear(long nanos) {
    if (nanos - heardNanos > 0) {
      heardNanos = nanos;
    }
  }

  /** How long nothing has been heard. */
  Duration silence(long now) {
    return Duration.ofNanos(Math.max(0, now - heardNanos - stoodStill(now)));
  }
}
