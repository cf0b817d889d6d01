package io.rns.handlespace;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.pool.Distance;
import io.rns.pool.DrawnPolicy;
import io.rns.pool.Policy;
import io.rns.pool.PolicyType;
import io.rns.pool.RankedPolicy;
import io.rns.pool.Registration;
import io.rns.pool.SelectionState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A reference handlespace that searches all elements for every operation. */
final class NaiveHandlespace {
  /** An element; an infinite time is the largest value. */
  private static final class Entry {
    private final RnsPath handle;
    private final PolicyType policy;
    private RegisteredElement element;
    private SelectionState standing;
    private long sequence;
    private boolean eligible;
    private final long serial;
    private TimerKind kind = TimerKind.EXPIRY;
    private long at;
    private long expiresAt;
    private Set<Long> reporters = new HashSet<>();

    Entry(RnsPath handle, PolicyType policy, RegisteredElement element, SelectionState standing, long serial) {
      this.handle = handle;
      this.policy = policy;
      this.element = element;
      this.standing = standing;
      this.serial = serial;
    }

    ElementKey key() {
      return new ElementKey(handle, element.id());
    }

    TableEntry table() {
      return new TableEntry(handle, policy, element);
    }
  }

  private final int self;
  private final HandlespaceSettings settings;
  private final RandomGenerator random;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<RnsPath, long[]> counters = new HashMap<>();
  private long time = Long.MIN_VALUE;
  private long version;
  private long serial;

  NaiveHandlespace(int self, HandlespaceSettings settings, RandomGenerator random) {
    this.self = self;
    this.settings = settings;
    this.random = random;
  }

  private List<Entry> pool(RnsPath handle) {
    return entries.stream().filter(e -> e.handle.equals(handle)).toList();
  }

  private @Nullable Entry find(ElementKey key) {
    return entries.stream().filter(e -> e.key().equals(key)).findFirst().orElse(null);
  }

  RegistrationOutcome register(RnsPath handle, PolicyType policy, Registration registration, long now) {
    time = Math.max(time, now);
    if (handle.isRoot()) {
      return new RegistrationOutcome.NoHandle();
    }
    List<Entry> pool = pool(handle);
    if (!pool.isEmpty() && pool.get(0).policy != policy) {
      return new RegistrationOutcome.OtherPolicy(pool.get(0).policy);
    }
    Entry known = find(new ElementKey(handle, registration.id()));
    if (known == null) {
      Roster.Bound bound = bound(pool, " registered here");
      if (bound != null) {
        return new RegistrationOutcome.Full(bound.what(), bound.limit(), bound.value());
      }
      RegisteredElement element = new RegisteredElement(registration, self, ++version);
      add(handle, policy, element);
      return new RegistrationOutcome.Registered(element);
    }
    RegisteredElement before = known.element;
    List<String> addresses = before.registration().endpoints().stream().map(EndpointReference::address).toList();
    if (registration.endpoints().stream().noneMatch(e -> addresses.contains(e.address()))) {
      return new RegistrationOutcome.IdTaken(before);
    }
    replace(known, new RegisteredElement(registration, self, ++version));
    return new RegistrationOutcome.Renewed(known.element, before);
  }

  private Roster.@Nullable Bound bound(List<Entry> pool, String where) {
    long pools = entries.stream().map(e -> e.handle).distinct().count();
    if (entries.size() >= settings.elements()) {
      return exceeded("elements" + where, settings.elements());
    }
    if (pool.isEmpty()) {
      return pools >= settings.pools() ? exceeded("pools" + where, settings.pools()) : null;
    }
    return pool.size() >= settings.elementsPerPool() ? exceeded("elements of the pool", settings.elementsPerPool())
        : null;
  }

  private static Roster.Bound exceeded(String what, int limit) {
    return new Roster.Bound(what, limit, limit + 1L);
  }

  UpdateOutcome apply(TableEntry news, long now) {
    time = Math.max(time, now);
    version = Math.max(version, news.element().version());
    if (news.handle().isRoot()) {
      return new UpdateOutcome.NoHandle();
    }
    List<Entry> pool = pool(news.handle());
    if (!pool.isEmpty() && pool.get(0).policy != news.policy()) {
      return new UpdateOutcome.OtherPolicy(pool.get(0).policy);
    }
    Entry known = find(news.key());
    if (known == null) {
      Roster.Bound bound = bound(pool, "");
      if (bound != null) {
        return new UpdateOutcome.Full(bound.what(), bound.limit(), bound.value());
      }
      add(news.handle(), news.policy(), news.element());
      return new UpdateOutcome.Added();
    }
    RegisteredElement before = known.element;
    Comparator<RegisteredElement> age =
        Comparator.comparingLong(RegisteredElement::version).thenComparing(RegisteredElement::home,
            Integer::compareUnsigned);
    if (age.compare(news.element(), before) < 0) {
      return new UpdateOutcome.Stale(before);
    }
    replace(known, news.element());
    return new UpdateOutcome.Replaced(before);
  }

  UpdateOutcome applyRemoval(ElementKey key, long removedVersion, long now) {
    time = Math.max(time, now);
    version = Math.max(version, removedVersion);
    Entry known = find(key);
    if (known == null) {
      return new UpdateOutcome.Unknown();
    }
    if (known.element.version() > removedVersion) {
      return new UpdateOutcome.Stale(known.element);
    }
    remove(known);
    return new UpdateOutcome.Removed(known.element);
  }

  DeregistrationOutcome deregister(ElementKey key, long now) {
    time = Math.max(time, now);
    Entry known = find(key);
    if (known == null) {
      return new DeregistrationOutcome.NotRegistered();
    }
    remove(known);
    return new DeregistrationOutcome.Removed(known.element);
  }

  private void add(RnsPath handle, PolicyType type, RegisteredElement element) {
    long[] counter = counters.computeIfAbsent(handle, h -> new long[2]);
    SelectionState fresh = SelectionState.fresh(element.registration().parameters(), Distance.NONE, counter[0]++);
    Entry entry = new Entry(handle, type, element, fresh, serial++);
    place(entry, fresh, false);
    entries.add(entry);
    schedule(entry);
  }

  private void replace(Entry entry, RegisteredElement element) {
    entry.element = element;
    entry.reporters.clear();
    place(entry, entry.policy.policy().report(entry.standing, element.registration().parameters()), false);
    schedule(entry);
  }

  private void remove(Entry entry) {
    entries.remove(entry);
    if (pool(entry.handle).isEmpty()) {
      counters.remove(entry.handle);
    }
  }

  private void place(Entry entry, SelectionState standing, boolean turnTaken) {
    Policy policy = entry.policy.policy();
    boolean admitted = policy.admits(standing);
    SelectionState placed = standing;
    boolean moved = turnTaken;
    if (admitted && !entry.eligible) {
      List<Entry> order = inOrder(entry.handle);
      placed = policy.join(standing, order.isEmpty() ? null : order.get(0).standing);
      moved = true;
    } else if (admitted && policy instanceof RankedPolicy ranked) {
      moved |= ranked.rank(standing) != ranked.rank(entry.standing) || standing.round() != entry.standing.round();
    }
    entry.standing = placed;
    entry.eligible = admitted;
    if (admitted && moved) {
      entry.sequence = ++counters.getOrDefault(entry.handle, new long[2])[1];
    }
  }

  private List<Entry> inOrder(RnsPath handle) {
    return pool(handle).stream()
        .filter(e -> e.eligible)
        .sorted(
            Comparator.comparingLong((Entry e) -> e.standing.round())
                .thenComparingLong(e -> e.policy.policy() instanceof RankedPolicy ranked ? ranked.rank(e.standing) : 0)
                .thenComparingLong(e -> e.sequence))
        .toList();
  }

  ResolutionOutcome resolve(RnsPath handle, int items) {
    List<Entry> pool = pool(handle);
    if (pool.isEmpty()) {
      return new ResolutionOutcome.UnknownPool();
    }
    PolicyType type = pool.get(0).policy;
    List<Entry> order = inOrder(handle);
    int count = Math.min(Math.min(items, settings.resolutionItems()), order.size());
    List<Entry> selected =
        type.policy() instanceof DrawnPolicy drawn ? draw(drawn, order, count) : order.subList(0, count);
    List<ResolutionOutcome.Selected> answered =
        selected.stream().map(e -> new ResolutionOutcome.Selected(e.element, e.standing)).toList();
    for (int i = 0; i < Math.min(count, settings.charged()) && type.policy() instanceof RankedPolicy; i++) {
      place(selected.get(i), type.policy().charge(selected.get(i).standing), true);
    }
    return answered.isEmpty()
        ? new ResolutionOutcome.NoneEligible(type, pool.size())
        : new ResolutionOutcome.Resolved(type, answered);
  }

  private List<Entry> draw(DrawnPolicy policy, List<Entry> order, int count) {
    List<Entry> left = new ArrayList<>(order);
    List<Entry> drawn = new ArrayList<>();
    while (drawn.size() < count) {
      long point = random.nextLong(left.stream().mapToLong(e -> policy.weight(e.standing)).sum());
      int i = 0;
      while (point >= policy.weight(left.get(i).standing)) {
        point -= policy.weight(left.get(i).standing);
        i++;
      }
      drawn.add(left.remove(i));
    }
    return drawn;
  }

  private void schedule(Entry entry) {
    long lifetime = entry.element.registration().lifetimeMillis();
    entry.expiresAt = lifetime == Registration.FOREVER ? Long.MAX_VALUE : time + lifetime;
    if (entry.element.home() == self) {
      keepAliveLater(entry);
    } else {
      plan(entry, TimerKind.EXPIRY, entry.expiresAt);
    }
  }

  private void keepAliveLater(Entry entry) {
    plan(entry, TimerKind.KEEP_ALIVE,
        time + settings.keepAliveMillis() / 2 + random.nextLong(settings.keepAliveMillis()));
  }

  private static void plan(Entry entry, TimerKind kind, long at) {
    boolean expires = entry.expiresAt <= at;
    entry.kind = expires ? TimerKind.EXPIRY : kind;
    entry.at = Math.min(entry.expiresAt, at);
  }

  List<TimerEvent> run(long now, int max) {
    time = Math.max(time, now);
    List<TimerEvent> events = new ArrayList<>();
    while (events.size() < max) {
      Optional<Entry> due =
          entries.stream().filter(e -> e.at <= time)
              .min(Comparator.comparingLong((Entry e) -> e.at).thenComparingLong(e -> e.serial));
      if (due.isEmpty()) {
        break;
      }
      events.add(happen(due.get()));
    }
    return events;
  }

  private TimerEvent happen(Entry entry) {
    return switch (entry.kind) {
      case KEEP_ALIVE -> {
        plan(entry, TimerKind.KEEP_ALIVE_TIMEOUT, time + settings.keepAliveTimeoutMillis());
        yield new TimerEvent.KeepAliveDue(entry.table());
      }
      case KEEP_ALIVE_TIMEOUT -> {
        remove(entry);
        yield new TimerEvent.KeepAliveMissed(entry.table());
      }
      case EXPIRY -> {
        remove(entry);
        yield new TimerEvent.LifetimeExpired(entry.table());
      }
    };
  }

  boolean acknowledge(ElementKey key, long now) {
    time = Math.max(time, now);
    Entry entry = find(key);
    if (entry == null || entry.kind != TimerKind.KEEP_ALIVE_TIMEOUT) {
      return false;
    }
    keepAliveLater(entry);
    entry.reporters.clear();
    return true;
  }

  UnreachableOutcome reportUnreachable(ElementKey key, long reporter, long now) {
    time = Math.max(time, now);
    Entry entry = find(key);
    if (entry == null) {
      return new UnreachableOutcome.Unknown();
    }
    if (entry.element.home() != self) {
      return new UnreachableOutcome.OtherHome(entry.element.home());
    }
    entry.reporters.add(reporter);
    if (entry.reporters.size() > settings.unreachableReports()) {
      remove(entry);
      return new UnreachableOutcome.Removed(entry.element);
    }
    if (entry.kind != TimerKind.KEEP_ALIVE_TIMEOUT) {
      plan(entry, TimerKind.KEEP_ALIVE, time);
    }
    return new UnreachableOutcome.Counted(entry.reporters.size());
  }

  boolean measured(ElementKey key, Distance distance) {
    Entry entry = find(key);
    if (entry == null) {
      return false;
    }
    place(entry, entry.standing.at(distance), false);
    return true;
  }

  void takeOver(int from, int to, long now) {
    time = Math.max(time, now);
    for (Entry entry : entries.stream().filter(e -> e.element.home() == from).toList()) {
      entry.element = new RegisteredElement(entry.element.registration(), to, entry.element.version());
      if (to != self) {
        plan(entry, TimerKind.EXPIRY, entry.expiresAt);
      } else if (entry.kind != TimerKind.KEEP_ALIVE_TIMEOUT) {
        plan(entry, TimerKind.KEEP_ALIVE, time);
      }
    }
  }

  List<TableEntry> table() {
    return entries.stream().sorted(Comparator.comparing(Entry::key)).map(Entry::table).toList();
  }

  List<TableEntry> tableOf(int home) {
    return table().stream().filter(e -> e.element().home() == home).toList();
  }

  /** RFC 1071 literally: one's complement of the one's complement sum. */
  int internetChecksum(int home) {
    int sum = 0;
    for (TableEntry entry : tableOf(home)) {
      byte[] handle = entry.handle().toString().getBytes(StandardCharsets.UTF_8);
      byte[] block = Arrays.copyOf(handle, (handle.length + 3) / 4 * 4 + 4);
      ByteBuffer.wrap(block).putInt(block.length - 4, entry.element().id());
      for (int i = 0; i < block.length; i += 2) {
        sum += ((block[i] & 0xff) << 8) + (block[i + 1] & 0xff);
        sum = (sum & 0xffff) + (sum >>> 16);
      }
    }
    return ~sum & 0xffff;
  }
}
