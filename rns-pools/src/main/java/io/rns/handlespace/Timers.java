package io.rns.handlespace;

import io.rns.pool.Registration;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The timers: the next timer of each element. An element with another home and an infinite lifetime has none.
 *
 * <p>Nearly every timer is postponed before it expires, since elements renew many times between two keep-alives. A
 * postponed timer keeps its place in the schedule and moves only when it reaches the front.
 */
final class Timers {
  private final TimerSchedule schedule = new TimerSchedule();
  private final int self;
  private final HandlespaceSettings settings;
  private final RandomGenerator random;
  private long time = Long.MIN_VALUE;

  Timers(int self, HandlespaceSettings settings, RandomGenerator random) {
    this.self = self;
    this.settings = settings;
    this.random = random;
  }

  /** Advances the time, which never goes back, and returns it. */
  long advance(long nowMillis) {
    time = Math.max(time, nowMillis);
    return time;
  }

  /** Restarts the timers of an element that registered, here or elsewhere. */
  void registered(PoolMember member, long now) {
    long lifetime = member.element.registration().lifetimeMillis();
    member.expiresAt = lifetime == Registration.FOREVER ? Long.MAX_VALUE : later(now, lifetime);
    if (member.element.home() == self) {
      keepAliveLater(member, now);
    } else {
      plan(member, TimerKind.EXPIRY, member.expiresAt);
    }
  }

  /**
   * Plans the next keep-alive after a sign of life. The interval is randomised, so that elements registered together do
   * not receive keep-alives together.
   */
  void keepAliveLater(PoolMember member, long now) {
    long period = settings.keepAliveMillis();
    plan(member, TimerKind.KEEP_ALIVE, later(now, period / 2 + random.nextLong(period)));
  }

  /** Makes a keep-alive due at once, unless an answer is pending. */
  void keepAliveNow(PoolMember member, long now) {
    if (!awaitsAnswer(member)) {
      plan(member, TimerKind.KEEP_ALIVE, now);
    }
  }

  /** Stops keep-alives: only the lifetime counts. */
  void leaveToLifetime(PoolMember member) {
    plan(member, TimerKind.EXPIRY, member.expiresAt);
  }

  /** Starts the keep-alive timeout. */
  void await(PoolMember member, long now) {
    member.askedAt = now;
    plan(member, TimerKind.KEEP_ALIVE_TIMEOUT, later(now, settings.keepAliveTimeoutMillis()));
  }

  boolean awaitsAnswer(PoolMember member) {
    return member.isScheduled() && member.timerKind == TimerKind.KEEP_ALIVE_TIMEOUT;
  }

  /** When the next keep-alive is due. */
  OptionalLong keepAlive(PoolMember member) {
    boolean planned = member.isScheduled() && member.timerKind == TimerKind.KEEP_ALIVE;
    return planned ? OptionalLong.of(member.timerAt) : OptionalLong.empty();
  }

  /** The element whose timer has been due longest; null if none is due. */
  @Nullable
  PoolMember due(long now) {
    PoolMember first = first();
    return first == null || first.timerAt > now ? null : first;
  }

  OptionalLong next() {
    PoolMember first = first();
    return first == null ? OptionalLong.empty() : OptionalLong.of(first.timerAt);
  }

  /** The first timer to expire; postponed timers before it are moved to their place. */
  private @Nullable PoolMember first() {
    while (true) {
      PoolMember first = schedule.first();
      if (first == null || first.timerAt == first.scheduledAt) {
        return first;
      }
      first.scheduledAt = first.timerAt;
      schedule.move(first, first.scheduledAt);
    }
  }

  void cancel(PoolMember member) {
    if (member.isScheduled()) {
      schedule.remove(member);
    }
  }

  private void plan(PoolMember member, TimerKind kind, long at) {
    boolean expires = member.expiresAt <= at;
    long ends = expires ? member.expiresAt : at;
    boolean stays = member.isScheduled() && ends >= member.scheduledAt && ends < Long.MAX_VALUE;
    if (!stays) {
      cancel(member);
    }
    member.timerKind = expires ? TimerKind.EXPIRY : kind;
    member.timerAt = ends;
    if (!stays && ends < Long.MAX_VALUE) {
      member.scheduledAt = ends;
      schedule.add(member, ends);
    }
  }

  private static long later(long now, long millis) {
    long at = now + millis;
    return at < now ? Long.MAX_VALUE : at;
  }

  /** For tests, O(n). */
  void checkInvariants() {
    schedule.checkInvariants();
  }
}
