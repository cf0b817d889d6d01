package io.rns.handlespace;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.Roster.Bound;
import io.rns.pool.Distance;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import io.rns.pool.SharedExperience;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All pools as one registrar sees them.
 *
 * <p>Times are milliseconds of any clock of the caller's choice. A time before an earlier one counts as the earlier
 * one, so a clock set back only delays timers.
 *
 * <p>Not thread-safe. Deterministic: the same calls with the same generator return the same results.
 */
public final class Handlespace {
  /** The number of a host that has no share of its own. */
  public static final long NOBODY = 0;

  private final int self;
  private final HandlespaceSettings settings;
  private final RandomGenerator random;
  private final Timers timers;
  private final Roster roster;
  private final Synchronisation synchronisation;
  private long version;

  /**
   * An empty handlespace.
   *
   * @param self the id of this registrar, unsigned 32 bits, not 0
   * @param firstVersion at or above every version this registrar issued before a restart, such as its start time in
   *        milliseconds; 0 or more
   * @param random selects elements and spreads keep-alives
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public Handlespace(int self, long firstVersion, HandlespaceSettings settings, RandomGenerator random) {
    if (self == 0 || firstVersion < 0) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "a registrar needs an id other than 0 and a first version of 0 or more, not " + firstVersion);
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
   * Registers or re-registers an element, making this registrar its home. O(log n).
   *
   * <p>A known id is accepted only if the registration shares an endpoint address with the known one: an element whose
   * addresses all change registers under a new id.
   *
   * @param policy the policy of the pool, which its first element determines
   */
  public RegistrationOutcome register(RnsPath handle, PolicyType policy, Registration registration, long nowMillis) {
    return register(handle, policy, registration, NOBODY, nowMillis);
  }

  /**
   * The same for a host, which has a share of elements, pools and memory.
   *
   * @param host its number; {@link #NOBODY} for none
   */
  public RegistrationOutcome register(
      RnsPath handle, PolicyType policy, Registration registration, long host, long nowMillis) {
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
      return registerNew(handle, policy, registration, pool, host, now);
    }
    RegisteredElement before = known.element;
    if (!registration.sharesEndpointWith(before.registration())) {
      return new RegistrationOutcome.IdTaken(before);
    }
    long bytes = bytes(known, registration);
    Bound bound = roster.bound(known, bytes, host);
    if (bound != null) {
      return new RegistrationOutcome.Full(bound.what(), bound.limit(), bound.value());
    }
    roster.replace(known, new RegisteredElement(registration, self, ++version), bytes, host, now);
    return new RegistrationOutcome.Renewed(known.element, before);
  }

  private static long bytes(PoolMember known, Registration registration) {
    return ElementMemory.of(registration, known.pool.handleBytes());
  }

  private RegistrationOutcome registerNew(
      RnsPath handle, PolicyType policy, Registration registration, @Nullable Pool pool, long host, long now) {
    long ofHandle = pool == null ? ElementMemory.of(handle) : pool.handleBytes();
    long ofPool = pool == null ? ElementMemory.ofPool(ofHandle) : 0;
    long bytes = ElementMemory.of(registration, ofHandle);
    Bound bound = roster.bound(pool, ofPool, bytes, host);
    if (bound != null) {
      return new RegistrationOutcome.Full(bound.what(), bound.limit(), bound.value());
    }
    PoolMember member =
        roster.add(handle, policy, new RegisteredElement(registration, self, ++version), bytes, host, now);
    return new RegistrationOutcome.Registered(member.element);
  }

  /** Deregisters an element. O(log n). */
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
   * Selects elements of a pool by its policy. For h items, O(h) for ranked policies and O(h log n) for drawn ones, plus
   * O(log n) for each charged item.
   *
   * @param items the number wanted, at least 1; limited by the settings
   */
  public ResolutionOutcome resolve(RnsPath handle, int items) {
    if (items < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "handle resolution of " + handle + " for " + items + " elements: 1 or more are required");
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

  /** Applies an element announced by another registrar, by an update or in its table. O(log n). */
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
      return applyNew(news, pool, now);
    }
    RegisteredElement before = known.element;
    if (element.home() == before.home()) {
      roster.confirm(known);
    }
    if (isOlder(element, before)) {
      return new UpdateOutcome.Stale(before);
    }
    long bytes = bytes(known, element.registration());
    Bound bound = roster.boundOfOthers(known, bytes);
    if (bound != null) {
      return new UpdateOutcome.Full(bound.what(), bound.limit(), bound.value());
    }
    roster.replace(known, element, bytes, NOBODY, now);
    return new UpdateOutcome.Replaced(before);
  }

  private UpdateOutcome applyNew(TableEntry news, @Nullable Pool pool, long now) {
    long ofHandle = pool == null ? ElementMemory.of(news.handle()) : pool.handleBytes();
    long ofPool = pool == null ? ElementMemory.ofPool(ofHandle) : 0;
    long bytes = ElementMemory.of(news.element().registration(), ofHandle);
    Bound bound = roster.boundOfOthers(pool, ofPool, bytes);
    if (bound != null) {
      return new UpdateOutcome.Full(bound.what(), bound.limit(), bound.value());
    }
    roster.add(news.handle(), news.policy(), news.element(), bytes, NOBODY, now);
    return new UpdateOutcome.Added();
  }

  /** Of two concurrent registrations with the same version, all registrars keep the one with the higher home id. */
  private static boolean isOlder(RegisteredElement element, RegisteredElement than) {
    int order = Long.compare(element.version(), than.version());
    return order != 0 ? order < 0 : Integer.compareUnsigned(element.home(), than.home()) < 0;
  }

  /**
   * Applies a removal announced by another registrar. O(log n).
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
   * Runs due timers, oldest first, and removes elements that expired or did not answer. O(log n) each.
   *
   * @param max upper bound for the number of events, at least 1; if it is reached, more may be due
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

  /** When {@link #run} will have something to do; empty if no timer is set. */
  public OptionalLong nextTimerMillis() {
    return timers.next();
  }

  /** Handles the answer to a keep-alive, which refutes the reports before it. O(log n). False if none was pending. */
  public boolean acknowledge(ElementKey key, long nowMillis) {
    long now = timers.advance(nowMillis);
    PoolMember member = roster.find(key);
    if (member == null || !timers.awaitsAnswer(member)) {
      return false;
    }
    timers.keepAliveLater(member, now);
    member.forgetReports();
    return true;
  }

  /**
   * Gives an element with this home a new version. Its former home, if it was only unreachable, then has an older state
   * of it. O(log n).
   *
   * @return the new state; empty if the element has another home
   */
  public Optional<TableEntry> confirmHome(ElementKey key) {
    PoolMember member = roster.find(key);
    if (member == null || member.element.home() != self) {
      return Optional.empty();
    }
    roster.owners().replace(member, new RegisteredElement(member.element.registration(), self, ++version));
    return Optional.of(member.entry());
  }

  /** Makes a keep-alive due at once for an element with this home, for example after a lost connection. O(log n). */
  public void ask(ElementKey key, long nowMillis) {
    long now = timers.advance(nowMillis);
    PoolMember member = roster.find(key);
    if (member != null && member.element.home() == self) {
      timers.keepAliveNow(member, now);
    }
  }

  /**
   * Starts the keep-alive timeout of an element with this home that can no longer be reached: it is lost unless heard
   * of in time. O(log n).
   */
  public void await(ElementKey key, long nowMillis) {
    long now = timers.advance(nowMillis);
    PoolMember member = roster.find(key);
    if (member != null && member.element.home() == self && !timers.awaitsAnswer(member)) {
      timers.await(member, now);
    }
  }

  /**
   * Stops keep-alives of an unreachable element: it lives until its lifetime ends, unless it registers again. O(log n).
   */
  public void leaveToLifetime(ElementKey key) {
    PoolMember member = roster.find(key);
    if (member != null) {
      timers.leaveToLifetime(member);
    }
  }

  /**
   * Counts a user's report that an element is unreachable, once for each reporter until the element answers a
   * keep-alive or registers again. O(log n).
   *
   * @param reporter a number of who reports
   */
  public UnreachableOutcome reportUnreachable(ElementKey key, long reporter, long nowMillis) {
    long now = timers.advance(nowMillis);
    PoolMember member = roster.find(key);
    if (member == null) {
      return new UnreachableOutcome.Unknown();
    }
    if (member.element.home() != self) {
      return new UnreachableOutcome.OtherHome(member.element.home());
    }
    member.reported(reporter);
    if (member.reports() > settings.unreachableReports()) {
      roster.remove(member);
      return new UnreachableOutcome.Removed(member.element);
    }
    timers.keepAliveNow(member, now);
    return new UnreachableOutcome.Counted(member.reports());
  }

  /**
   * Takes in what a user has met at an element; ignored if the element is unknown. O(log n).
   *
   * @param host a number of the host of the user
   */
  public void experienced(ElementKey key, ElementExperience experience, long host, long nowMillis) {
    PoolMember member = roster.find(key);
    if (member != null) {
      member.experienced(experience, host, nowMillis);
    }
  }

  /**
   * What users have lately met at an element; {@link SharedExperience#NONE} if it is unknown. O(log n).
   *
   * @param asker a number of the host of the user that is told: what its own host reports counts without confirmation
   */
  public SharedExperience shared(ElementKey key, long asker, long nowMillis) {
    PoolMember member = roster.find(key);
    return member == null ? SharedExperience.NONE : member.shared(asker, nowMillis);
  }

  /** Sets the measured distance of an element. O(log n). False if the element is unknown. */
  public boolean measured(ElementKey key, Distance distance) {
    PoolMember member = roster.find(key);
    if (member == null) {
      return false;
    }
    member.pool.measured(member, distance);
    return true;
  }

  /** Operations by which registrars agree with each other. */
  public Synchronisation synchronisation() {
    return synchronisation;
  }

  /** The state of an element. O(log n). */
  public Optional<RegisteredElement> element(ElementKey key) {
    PoolMember member = roster.find(key);
    return member == null ? Optional.empty() : Optional.of(member.element);
  }

  /** When an element last registered, and when its registration ends. O(log n). */
  public Optional<Lease> lease(ElementKey key) {
    PoolMember member = roster.find(key);
    return member == null ? Optional.empty() : Optional.of(new Lease(member.registeredAt, member.expiresAt));
  }

  /**
   * Lists pools by handle.
   *
   * @param after the last pool of the previous page; empty for the first
   * @param max page size
   */
  public List<PoolSummary> pools(Optional<RnsPath> after, int max) {
    return roster.pools(after.orElse(null), max);
  }

  /**
   * Lists pools at and below a path, by handle.
   *
   * @param after the last pool of the previous page; empty for the first
   * @param max page size
   */
  public List<PoolSummary> poolsBelow(RnsPath below, Optional<RnsPath> after, int max) {
    return roster.poolsBelow(below, after.orElse(null), max);
  }

  /**
   * A summary of a pool. O(1).
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
   * Lists the elements of a pool by id. O(log n), plus O(1) for each.
   *
   * @param after the last id of the previous page, unsigned; 0 for the first
   * @param max page size
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

  /** The number of pools. */
  public int poolCount() {
    return roster.poolCount();
  }

  /** The number of elements in all pools. */
  public int size() {
    return roster.size();
  }

  /** The estimated memory of all elements, in bytes. */
  public long bytes() {
    return roster.bytes();
  }

  /** For tests, O(n). */
  void checkInvariants() {
    roster.checkInvariants();
  }
}
