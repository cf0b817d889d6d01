package io.rns.handlespace;

import io.rns.pool.Registration;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The timer schedule: of each element the one next thing to happen. An element that lives for ever elsewhere has none.
 *
 * <p>Nearly every timer is put off before it ends, as elements renew many times between two keep-alives. So one that is
 * put off stays where it is in the schedule, and moves when it gets to the front.
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

  /** The time that it is; it never goes back. */
  long advance(long nowMillis) {
    time = Math.max(time, nowMillis);
    return time;
  }

  /** An element was registered, here or elsewhere: it lives, and its lifetime begins anew. */
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
   * The element lives: ask again after a while. Spread out, for elements that registered together would be asked
   * together.
   */
  void keepAliveLater(PoolMember member, long now) {
    long period = settings.keepAliveMillis();
    plan(member, TimerKind.KEEP_ALIVE, later(now, period / 2 + random.nextLong(period)));
  }

  /** Ask at once, unless an answer is awaited already. */
  void keepAliveNow(PoolMember member, long now) {
    if (!awaitsAnswer(member)) {
      plan(member, TimerKind.KEEP_ALIVE, now);
    }
  }

  /** Nobody here asks the element any more: only its lifetime counts. */
  void leaveToLifetime(PoolMember member) {
    plan(member, TimerKind.EXPIRY, member.expiresAt);
  }

  /** The element was asked: wait for the answer. */
  void await(PoolMember member, long now) {
    member.askedAt = now;
    plan(member, TimerKind.KEEP_ALIVE_TIMEOUT, later(now, settings.keepAliveTimeoutMillis()));
  }

  boolean awaitsAnswer(PoolMember member) {
    return member.isScheduled() && member.timerKind == TimerKind.KEEP_ALIVE_TIMEOUT;
  }

  /** When the element is to be asked next. */
  OptionalLong keepAlive(PoolMember member) {
    boolean planned = member.isScheduled() && member.timerKind == TimerKind.KEEP_ALIVE;
    return planned ? OptionalLong.of(member.timerAt) : OptionalLong.empty();
  }

  /** The element whose time has come longest ago. */
  @Nullable
  PoolMember due(long now) {
    PoolMember first = first();
    return first == null || first.timerAt > now ? null : first;
  }

  OptionalLong next() {
    PoolMember first = first();
    return first == null ? OptionalLong.empty() : OptionalLong.of(first.timerAt);
  }

  /** The first to end; those before it that were put off are moved to where they belong. */
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
