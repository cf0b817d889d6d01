package io.rns.handlespace;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.Roster.Bound;
import io.rns.pool.Distance;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All pools as one registrar sees them.
 *
 * <p>Times are milliseconds of any clock that the caller keeps to. A time before one that was given earlier counts as
 * that one, so that a clock that is set back delays timers and does nothing else.
 *
 * <p>For one thread at a time. The same calls with the same generator give the same answers.
 */
public final class Handlespace {
  private final int self;
  private final HandlespaceSettings settings;
  private final RandomGenerator random;
  private final Timers timers;
  private final Roster roster;
  private final Synchronisation synchronisation;
  private long version;

  /**
   * An empty one.
   *
   * @param self the id of this registrar, unsigned 32 bits, not 0
   * @param firstVersion at or above every version this registrar gave before it restarted, such as its start in
   *        milliseconds; 0 or more
   * @param random draws elements and spreads keep-alives
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public Handlespace(int self, long firstVersion, HandlespaceSettings settings, RandomGenerator random) {
    if (self == 0 || firstVersion < 0) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "a registrar has neither id 0 nor versions below 0, " + firstVersion);
    }
    this.self = self;
    this.version = firstVersion;
    this.settings = settings;
    this.random = random;
    this.timers = new Timers(self, settings, random);
    this.roster = new Roster(settings, timers);
    this.synchronisation = new Synchronisation(self, roster, timers);
  }

  /**
   * An element registers here, or again, which makes this registrar its home. O(log n).
   *
   * <p>An element that is known by its id must share an endpoint address with what is known: one that moves altogether
   * registers under a new id.
   *
   * @param policy the policy of the pool, which its first element decides
   */
  public RegistrationOutcome register(RnsPath handle, PolicyType policy, Registration registration, long nowMillis) {
    long now = timers.advance(nowMillis);
    if (handle.isRoot()) {
      return new RegistrationOutcome.NoHandle();
    }
    Pool pool = roster.pool(handle);
    if (pool != null && pool.type() != policy) {
      return new RegistrationOutcome.OtherPolicy(pool.type());
    }
    PoolMember known = pool == null ? null : pool.find(registration.id());
    if (known == null) {
      return registerNew(handle, policy, registration, roster.bound(pool), now);
    }
    RegisteredElement before = known.element;
    if (!registration.sharesEndpointWith(before.registration())) {
      return new RegistrationOutcome.IdTaken(before);
    }
    roster.replace(known, new RegisteredElement(registration, self, ++version), now);
    return new RegistrationOutcome.Renewed(known.element, before);
  }

  private RegistrationOutcome registerNew(
      RnsPath handle, PolicyType policy, Registration registration, @Nullable Bound bound, long now) {
    if (bound != null) {
      return new RegistrationOutcome.Full(bound.what(), bound.limit());
    }
    PoolMember member = roster.add(handle, policy, new RegisteredElement(registration, self, ++version), now);
    return new RegistrationOutcome.Registered(member.element);
  }

  /** An element leaves. O(log n). */
  public DeregistrationOutcome deregister(ElementKey key, long nowMillis) {
    timers.advance(nowMillis);
    PoolMember member = roster.find(key);
    if (member == null) {
      return new DeregistrationOutcome.NotRegistered();
    }
    roster.remove(member);
    return new DeregistrationOutcome.Removed(member.element);
  }

  /**
   * Selects elements of a pool by its policy. With h items, O(h) where the policy ranks and O(h log n) where it draws;
   * each item charged O(log n).
   *
   * @param items how many are wanted, at least 1; at most those of the settings are given
   */
  public ResolutionOutcome resolve(RnsPath handle, int items) {
    if (items < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "handle resolution of " + handle + " for " + items + " elements");
    }
    Pool pool = roster.pool(handle);
    if (pool == null) {
      return new ResolutionOutcome.UnknownPool();
    }
    List<ResolutionOutcome.Selected> selected =
        pool.select(Math.min(items, settings.resolutionItems()), settings.charged(), random);
    return selected.isEmpty()
        ? new ResolutionOutcome.NoneEligible(pool.type(), pool.size())
        : new ResolutionOutcome.Resolved(pool.type(), selected);
  }

  /** Another registrar tells of an element: one that registered, or an entry of its table. O(log n). */
  public UpdateOutcome apply(TableEntry news, long nowMillis) {
    long now = timers.advance(nowMillis);
    RegisteredElement element = news.element();
    version = Math.max(version, element.version());
    if (news.handle().isRoot()) {
      return new UpdateOutcome.NoHandle();
    }
    Pool pool = roster.pool(news.handle());
    if (pool != null && pool.type() != news.policy()) {
      return new UpdateOutcome.OtherPolicy(pool.type());
    }
    PoolMember known = pool == null ? null : pool.find(element.id());
    if (known == null) {
      return applyNew(news, roster.bound(pool), now);
    }
    RegisteredElement before = known.element;
    if (element.home() == before.home()) {
      roster.confirm(known);
    }
    if (isOlder(element, before)) {
      return new UpdateOutcome.Stale(before);
    }
    roster.replace(known, element, now);
    return new UpdateOutcome.Replaced(before);
  }

  private UpdateOutcome applyNew(TableEntry news, @Nullable Bound bound, long now) {
    if (bound != null) {
      return new UpdateOutcome.Full(bound.what(), bound.limit());
    }
    roster.add(news.handle(), news.policy(), news.element(), now);
    return new UpdateOutcome.Added();
  }

  /** Two registrars that took an element in at once, unknown to each other, agree on the higher id. */
  private static boolean isOlder(RegisteredElement element, RegisteredElement than) {
    int order = Long.compare(element.version(), than.version());
    return order != 0 ? order < 0 : Integer.compareUnsigned(element.home(), than.home()) < 0;
  }

  /**
   * Another registrar tells that an element is gone. O(log n).
   *
   * @param removedVersion the version of the element when it was removed
   */
  public UpdateOutcome applyRemoval(ElementKey key, long removedVersion, long nowMillis) {
    timers.advance(nowMillis);
    version = Math.max(version, removedVersion);
    PoolMember known = roster.find(key);
    if (known == null) {
      return new UpdateOutcome.Unknown();
    }
    if (known.element.version() > removedVersion) {
      return new UpdateOutcome.Stale(known.element);
    }
    roster.remove(known);
    return new UpdateOutcome.Removed(known.element);
  }

  /**
   * What time has brought, the oldest first; elements that are lost to it are removed. O(log n) each.
   *
   * @param max how many events at most, at least 1; as many mean that there may be more
   */
  public List<TimerEvent> run(long nowMillis, int max) {
    long now = timers.advance(nowMillis);
    PoolMember first = timers.due(now);
    if (first == null) {
      return List.of();
    }
    List<TimerEvent> events = new ArrayList<>();
    for (PoolMember due = first; due != null && events.size() < max; due = timers.due(now)) {
      events.add(happen(due, now));
    }
    return events;
  }

  private TimerEvent happen(PoolMember member, long now) {
    TableEntry entry = member.entry();
    return switch (member.timerKind) {
      case KEEP_ALIVE -> {
        timers.await(member, now);
        yield new TimerEvent.KeepAliveDue(entry);
      }
      case KEEP_ALIVE_TIMEOUT -> {
        roster.remove(member);
        yield new TimerEvent.KeepAliveMissed(entry);
      }
      case EXPIRY -> {
        roster.remove(member);
        yield new TimerEvent.LifetimeExpired(entry);
      }
    };
  }

  /** When {@link #run} will have something to do; empty while it has nothing to wait for. */
  public OptionalLong nextTimerMillis() {
    return timers.next();
  }

  /** An element answered a keep-alive. O(log n). False if no answer was awaited. */
  public boolean acknowledge(ElementKey key, long nowMillis) {
    long now = timers.advance(nowMillis);
    PoolMember member = roster.find(key);
    if (member == null || !timers.awaitsAnswer(member)) {
      return false;
    }
    timers.keepAliveLater(member, now);
    return true;
  }

  /** Something speaks for asking an own element at once whether it lives, such as a lost connection. O(log n). */
  public void ask(ElementKey key, long nowMillis) {
    long now = timers.advance(nowMillis);
    PoolMember member = roster.find(key);
    if (member != null && member.element.home() == self) {
      timers.keepAliveNow(member, now);
    }
  }

  /**
   * An own element cannot be asked any more: it is lost unless something is heard of it as soon as an answer would be.
   * O(log n).
   */
  public void await(ElementKey key, long nowMillis) {
    long now = timers.advance(nowMillis);
    PoolMember member = roster.find(key);
    if (member != null && member.element.home() == self && !timers.awaitsAnswer(member)) {
      timers.await(member, now);
    }
  }

  /**
   * An element can never be asked: from now on it lives until its lifetime ends, unless it registers again. O(log n).
   */
  public void leaveToLifetime(ElementKey key) {
    PoolMember member = roster.find(key);
    if (member != null) {
      timers.leaveToLifetime(member);
    }
  }

  /** A user could not reach an element. O(log n). */
  public UnreachableOutcome reportUnreachable(ElementKey key, long nowMillis) {
    long now = timers.advance(nowMillis);
    PoolMember member = roster.find(key);
    if (member == null) {
      return new UnreachableOutcome.Unknown();
    }
    if (member.element.home() != self) {
      return new UnreachableOutcome.OtherHome(member.element.home());
    }
    member.unreachableReports++;
    if (member.unreachableReports > settings.unreachableReports()) {
      roster.remove(member);
      return new UnreachableOutcome.Removed(member.element);
    }
    timers.keepAliveNow(member, now);
    return new UnreachableOutcome.Counted(member.unreachableReports);
  }

  /** The distance of an element was measured. O(log n). False if it is not known. */
  public boolean measured(ElementKey key, Distance distance) {
    PoolMember member = roster.find(key);
    if (member == null) {
      return false;
    }
    member.pool.measured(member, distance);
    return true;
  }

  /** What registrars need to agree with each other. */
  public Synchronisation synchronisation() {
    return synchronisation;
  }

  /** An element as it is known. O(log n). */
  public Optional<RegisteredElement> element(ElementKey key) {
    PoolMember member = roster.find(key);
    return member == null ? Optional.empty() : Optional.of(member.element);
  }

  /** How long ago an element reported, and how long its registration holds. O(log n). */
  public Optional<Lease> lease(ElementKey key) {
    PoolMember member = roster.find(key);
    return member == null ? Optional.empty() : Optional.of(new Lease(member.registeredAt, member.expiresAt));
  }

  /**
   * Pools by handle.
   *
   * @param after the last one that was taken; empty for the first step
   * @param max how many at most
   */
  public List<PoolSummary> pools(Optional<RnsPath> after, int max) {
    return roster.pools(after.orElse(null), max);
  }

  /**
   * Pools at a path and below it, by handle.
   *
   * @param after the last one that was taken; empty for the first step
   * @param max how many at most
   */
  public List<PoolSummary> poolsBelow(RnsPath below, Optional<RnsPath> after, int max) {
    return roster.poolsBelow(below, after.orElse(null), max);
  }

  /**
   * A pool in numbers. O(1).
   *
   * @param handle of the pool
   */
  public Optional<PoolSummary> pool(RnsPath handle) {
    Pool pool = roster.pool(handle);
    return pool == null
        ? Optional.empty()
        : Optional.of(new PoolSummary(handle, pool.type(), pool.size(), pool.eligible()));
  }

  /**
   * Elements of a pool by id. O(log n) and O(1) for each.
   *
   * @param after the last id that was taken, unsigned; 0 for the first step
   * @param max how many at most
   */
  public List<ElementState> elements(RnsPath handle, int after, int max) {
    Pool pool = roster.pool(handle);
    return pool == null ? List.of() : roster.elements(pool, after, max);
  }

  /** The policy of a pool. */
  public Optional<PolicyType> policy(RnsPath handle) {
    Pool pool = roster.pool(handle);
    return pool == null ? Optional.empty() : Optional.of(pool.type());
  }

  /** How many pools there are. */
  public int poolCount() {
    return roster.poolCount();
  }

  /** How many elements there are in all pools. */
  public int size() {
    return roster.size();
  }

  /** For tests, O(n). */
  void checkInvariants() {
    roster.checkInvariants();
  }
}
