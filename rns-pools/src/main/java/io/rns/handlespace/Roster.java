package io.rns.handlespace;

import io.rns.api.RnsPath;
import io.rns.pool.PolicyType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All pools and elements; keeps the sets that contain an element consistent. */
final class Roster {
  private final HandlespaceSettings settings;
  private final Map<RnsPath, Pool> byHandle = new HashMap<>();
  private final NavigableMap<RnsPath, Pool> inOrder = new TreeMap<>();
  private final Owners owners = new Owners();
  private final Timers timers;
  private final SharedLimit bytes;
  private final SharedLimit elements;
  private final SharedLimit pools;
  private long serial;
  private long audits;

  Roster(HandlespaceSettings settings, Timers timers) {
    this.settings = settings;
    this.timers = timers;
    this.bytes = new SharedLimit("bytes of elements", settings.bytes());
    this.elements = new SharedLimit("elements", settings.elements());
    this.pools = new SharedLimit("pools", settings.pools());
  }

  /** A limit that would be exceeded, and the value that would. */
  record Bound(String what, long limit, long value) {}

  /** The estimated memory of all elements. */
  long bytes() {
    return bytes.taken();
  }

  int size() {
    return Math.toIntExact(elements.taken());
  }

  int poolCount() {
    return byHandle.size();
  }

  Owners owners() {
    return owners;
  }

  @Nullable
  Pool pool(RnsPath handle) {
    return byHandle.get(handle);
  }

  @Nullable
  PoolMember find(ElementKey key) {
    Pool pool = byHandle.get(key.handle());
    return pool == null ? null : pool.find(key.id());
  }

  /**
   * The limit that a new element registered here would exceed; null if there is room.
   *
   * @param pool its pool; null if that is new, too
   * @param ofPool the memory of a new pool
   * @param taken the memory of the element
   */
  @Nullable
  Bound bound(@Nullable Pool pool, long ofPool, long taken, long host) {
    Bound bound = elements.bound(1, 1, host);
    if (bound == null) {
      bound = pool == null ? pools.bound(1, 1, host) : bound(pool);
    }
    return bound == null ? bytes.bound(ofPool + taken, taken, host) : bound;
  }

  /**
   * The limit that another registration of an element would exceed; null if there is room. What an element of another
   * registrar has taken already is never refused when it registers here, as after that registrar has failed.
   *
   * @param taken its memory from now on
   */
  @Nullable
  Bound bound(PoolMember known, long taken, long host) {
    long more = taken - known.bytes();
    boolean isHandedOver = host != known.host() && known.host() != Handlespace.NOBODY;
    if (more <= 0 && !isHandedOver) {
      return null;
    }
    Bound bound = isHandedOver ? elements.bound(0, 1, host) : null;
    if (bound == null && isHandedOver && known.pool.founder() == known) {
      bound = pools.bound(0, 1, host);
    }
    return bound == null ? bytes.bound(more, host == known.host() ? more : taken, host) : bound;
  }

  /** The same for a new element of another registrar. */
  @Nullable
  Bound boundOfOthers(@Nullable Pool pool, long ofPool, long taken) {
    Bound bound = elements.boundOfOthers(1);
    if (bound == null) {
      bound = pool == null ? pools.boundOfOthers(1) : bound(pool);
    }
    return bound == null ? bytes.boundOfOthers(ofPool + taken) : bound;
  }

  /** The same for news of an element from another registrar. */
  @Nullable
  Bound boundOfOthers(PoolMember known, long taken) {
    return bytes.boundOfOthers(taken - known.bytes());
  }

  private @Nullable Bound bound(Pool pool) {
    int most = settings.elementsPerPool();
    return pool.size() < most ? null : new Bound("elements of the pool", most, pool.size() + 1L);
  }

  /**
   * Adds an element, and its pool if it is the first.
   *
   * @param taken its memory, see {@link ElementMemory}
   * @param host where it was registered here
   */
  PoolMember add(RnsPath handle, PolicyType policy, RegisteredElement element, long taken, long host, long now) {
    Pool pool = byHandle.get(handle);
    if (pool == null) {
      pool = new Pool(handle, policy);
      byHandle.put(handle, pool);
      bytes.add(pool.ownBytes(), Handlespace.NOBODY);
      pools.add(1, host);
      inOrder.put(handle, pool);
    }
    PoolMember member = pool.add(element, serial++);
    member.counted(taken, host);
    elements.add(1, host);
    bytes.add(taken, host);
    owners.add(member);
    confirm(member);
    member.registeredAt = now;
    timers.registered(member, now);
    return member;
  }

  /**
   * Re-registers a known element.
   *
   * @param taken its memory from now on
   * @param host where it was registered here
   */
  void replace(PoolMember member, RegisteredElement element, long taken, long host, long now) {
    if (host != member.host()) {
      elements.move(1, member.host(), host);
      if (member.pool.founder() == member) {
        pools.move(1, member.host(), host);
      }
    }
    if (taken != member.bytes() || host != member.host()) {
      bytes.remove(member.bytes(), member.host());
      bytes.add(taken, host);
      member.counted(taken, host);
    }
    if (element.version() != member.element.version()) {
      // A state repeated in a peer's table is not a report.
      member.registeredAt = now;
    }
    owners.replace(member, element);
    member.pool.report(member, element.registration().parameters());
    member.forgetReports();
    confirm(member);
    timers.registered(member, now);
  }

  /** A registration or news of an element confirms it in the current audit. */
  void confirm(PoolMember member) {
    member.confirmed = audits;
  }

  /** Starts an audit: all elements become unconfirmed. */
  long nextAudit() {
    return ++audits;
  }

  /** Removes an element, and its pool if it was the last. */
  void remove(PoolMember member) {
    Pool pool = member.pool;
    boolean hasFounded = pool.founder() == member;
    pool.remove(member);
    owners.remove(member);
    timers.cancel(member);
    bytes.remove(member.bytes(), member.host());
    elements.remove(1, member.host());
    if (pool.size() == 0) {
      byHandle.remove(pool.handle());
      bytes.remove(pool.ownBytes(), Handlespace.NOBODY);
      pools.remove(1, member.host());
      inOrder.remove(pool.handle());
    } else if (hasFounded) {
      PoolMember next = pool.behind(0, 1).get(0);
      pool.founder(next);
      pools.move(1, member.host(), next.host());
    }
  }

  /** Elements in order, after a key that need not exist. */
  TablePage table(@Nullable ElementKey after, int max) {
    Pool begun = after == null ? null : byHandle.get(after.handle());
    List<PoolMember> members = new ArrayList<>();
    if (begun != null && after != null) {
      members.addAll(begun.behind(after.id(), oneMore(max)));
    }
    for (Pool pool : after == null ? inOrder.values() : inOrder.tailMap(after.handle(), false).values()) {
      if (members.size() > max) {
        break;
      }
      members.addAll(pool.behind(0, oneMore(max) - members.size()));
    }
    return page(members, max);
  }

  /** The number of elements to fetch for a page, so that it shows whether more follow. */
  static int oneMore(int max) {
    return max == Integer.MAX_VALUE ? max : max + 1;
  }

  /** The page of the first {@code max} elements of a list that may have one more. */
  static TablePage page(List<PoolMember> members, int max) {
    boolean more = members.size() > max;
    TableEntry[] entries = new TableEntry[more ? max : members.size()];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = members.get(i).entry();
    }
    return new TablePage(List.of(entries), more);
  }

  /** Pools in order, after a handle that need not exist. */
  List<PoolSummary> pools(@Nullable RnsPath after, int max) {
    NavigableMap<RnsPath, Pool> rest = after == null ? inOrder : inOrder.tailMap(after, false);
    return rest.values().stream()
        .limit(max)
        .map(pool -> new PoolSummary(pool.handle(), pool.type(), pool.size(), pool.eligible()))
        .toList();
  }

  /** Pools at and below a path in order, after a handle that need not exist. */
  List<PoolSummary> poolsBelow(RnsPath below, @Nullable RnsPath after, int max) {
    boolean begun = after != null && after.compareTo(below) >= 0;
    return inOrder.tailMap(begun && after != null ? after : below, !begun).values().stream()
        .takeWhile(pool -> below.contains(pool.handle()))
        .limit(max)
        .map(pool -> new PoolSummary(pool.handle(), pool.type(), pool.size(), pool.eligible()))
        .toList();
  }

  /** Elements of a pool after an id, in id order. */
  List<ElementState> elements(Pool pool, int after, int max) {
    List<ElementState> elements = new ArrayList<>();
    for (PoolMember member : pool.behind(after, max)) {
      OptionalLong asked = timers.awaitsAnswer(member) ? OptionalLong.of(member.askedAt) : OptionalLong.empty();
      Lease lease = new Lease(member.registeredAt, member.expiresAt);
      elements.add(new ElementState(member.element, lease, member.reports(), asked, timers.keepAlive(member)));
    }
    return elements;
  }

  /** For tests, O(n). */
  void checkInvariants() {
    int members = 0;
    long taken = 0;
    for (Pool pool : inOrder.values()) {
      pool.checkInvariants();
      members += pool.size();
      taken += pool.bytes();
    }
    if (taken != bytes.taken() || inOrder.size() != pools.taken()) {
      throw new IllegalStateException(
          taken + " bytes of elements, " + bytes.taken() + " counted; " + inOrder.size() + " pools, " + pools.taken()
              + " counted");
    }
    if (pools.hosts() > elements.hosts() || elements.hosts() != bytes.hosts()) {
      throw new IllegalStateException(
          pools.hosts() + " hosts have pools, " + elements.hosts() + " elements, " + bytes.hosts() + " bytes");
    }
    int owned = owners.homes().stream().mapToInt(owners::size).sum();
    if (members != size() || owned != size() || inOrder.size() != byHandle.size()) {
      throw new IllegalStateException(
          members + " elements in pools, " + owned + " with owners, " + size() + " counted");
    }
    owners.checkInvariants();
    timers.checkInvariants();
  }
}
