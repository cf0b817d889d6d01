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
  private final ElementMemory memory;
  private int size;
  private long serial;
  private long audits;

  Roster(HandlespaceSettings settings, Timers timers) {
    this.settings = settings;
    this.timers = timers;
    this.memory = new ElementMemory(settings.bytes());
  }

  /** A limit that would be exceeded, and the value that would. */
  record Bound(String what, long limit, long value) {
    static Bound of(String what, int limit) {
      return new Bound(what, limit, limit + 1L);
    }
  }

  ElementMemory memory() {
    return memory;
  }

  int size() {
    return size;
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

  /** The limit that another element of a pool would exceed; null if there is room. */
  @Nullable
  Bound bound(@Nullable Pool pool) {
    if (size >= settings.elements()) {
      return Bound.of("elements", settings.elements());
    }
    if (pool == null) {
      return byHandle.size() >= settings.pools() ? Bound.of("pools", settings.pools()) : null;
    }
    return pool.size() >= settings.elementsPerPool() ? Bound.of("elements of the pool", settings.elementsPerPool())
        : null;
  }

  /**
   * Adds an element, and its pool if it is the first.
   *
   * @param bytes its memory, see {@link ElementMemory}
   * @param host where it was registered here
   */
  PoolMember add(RnsPath handle, PolicyType policy, RegisteredElement element, long bytes, long host, long now) {
    Pool pool = byHandle.get(handle);
    if (pool == null) {
      pool = new Pool(handle, policy);
      byHandle.put(handle, pool);
      memory.add(pool.ownBytes(), Handlespace.NOBODY);
      inOrder.put(handle, pool);
    }
    PoolMember member = pool.add(element, serial++);
    size++;
    member.counted(bytes, host);
    memory.add(bytes, host);
    owners.add(member);
    confirm(member);
    member.registeredAt = now;
    timers.registered(member, now);
    return member;
  }

  /**
   * Re-registers a known element.
   *
   * @param bytes its memory from now on
   * @param host where it was registered here
   */
  void replace(PoolMember member, RegisteredElement element, long bytes, long host, long now) {
    if (bytes != member.bytes() || host != member.host()) {
      memory.remove(member.bytes(), member.host());
      memory.add(bytes, host);
      member.counted(bytes, host);
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
    pool.remove(member);
    owners.remove(member);
    timers.cancel(member);
    memory.remove(member.bytes(), member.host());
    size--;
    if (pool.size() == 0) {
      byHandle.remove(pool.handle());
      memory.remove(pool.ownBytes(), Handlespace.NOBODY);
      inOrder.remove(pool.handle());
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
    long bytes = 0;
    for (Pool pool : inOrder.values()) {
      pool.checkInvariants();
      members += pool.size();
      bytes += pool.bytes();
    }
    if (bytes != memory.bytes()) {
      throw new IllegalStateException(bytes + " bytes of elements, " + memory.bytes() + " counted");
    }
    int owned = owners.homes().stream().mapToInt(owners::size).sum();
    if (members != size || owned != size || inOrder.size() != byHandle.size()) {
      throw new IllegalStateException(members + " elements in pools, " + owned + " with owners, " + size + " counted");
    }
    owners.checkInvariants();
    timers.checkInvariants();
  }
}
