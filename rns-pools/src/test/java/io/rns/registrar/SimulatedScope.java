package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RnsPath;
import io.rns.handlespace.Checksum;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.handlespace.TableEntry;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Registrars, elements and users, with the invariants that hold through crashes and restarts. */
final class SimulatedScope {
  static final RegistrarSettings SETTINGS =
      new RegistrarSettings(
          new HandlespaceSettings(10_000, 10_000, 10_000, 3, 1, 2_000, 1_000, 3), 1_000, 3_000, 1_000, 2_000, 50);

  /**
   * Time until a dead element is removed everywhere: its home may fail with it and be taken over by a registrar that
   * fails.
   */
  static final long REMOVAL_MILLIS = 25_000;

  /** All policies except credits, where elements run out of credits while no users are served. */
  private static final List<PolicyType> POLICIES =
      Arrays.stream(PolicyType.values()).filter(type -> type != PolicyType.CREDITS).toList();

  private static final long STEP_MILLIS = 250;
  private static final long NEWS_MILLIS = 1_000;

  final SimulatedNetwork network;
  final List<SimulatedRegistrar> registrars = new ArrayList<>();
  final List<SimulatedElement> elements = new ArrayList<>();
  final List<SimulatedUser> users = new ArrayList<>();
  final List<RnsPath> handles;

  /** Takeovers of each registrar, by id. */
  final Map<Integer, Integer> takeovers = new HashMap<>();

  private final Map<ElementKey, SimulatedElement> byKey = new HashMap<>();
  private long isolatedAt = Long.MAX_VALUE;

  SimulatedScope(long seed, int registrarCount, int elementCount, int poolCount) {
    network = new SimulatedNetwork(new SplittableRandom(seed));
    for (int i = 0; i < registrarCount; i++) {
      registrars.add(new SimulatedRegistrar(network, SETTINGS, takeovers));
    }
    handles = IntStream.range(0, poolCount).mapToObj(i -> RnsPath.parse("/pools/p" + i)).toList();
    List<Integer> numbers = registrars.stream().map(SimulatedRegistrar::number).toList();
    for (int i = 0; i < elementCount; i++) {
      ElementKey key = new ElementKey(handles.get(i % poolCount), network.random.nextInt() | 1);
      PolicyType policy = POLICIES.get(i % poolCount % POLICIES.size());
      Parameters parameters = Parameters.PLAIN.withLoad(network.random.nextInt(9));
      SimulatedElement element =
          new SimulatedElement(network, numbers, key, PolicyData.policy(policy, parameters));
      elements.add(element);
      byKey.put(key, element);
    }
  }

  void addUsers(int count, long everyMillis) {
    for (int i = 0; i < count; i++) {
      SimulatedUser user =
          new SimulatedUser(network, registrars, handles, key -> byKey.containsKey(key) && byKey.get(key).isUp());
      users.add(user);
      network.after(network.random.nextLong(everyMillis), () -> user.use(everyMillis));
    }
  }

  void start(SimulatedRegistrar registrar) {
    registrar.start(
        registrars.stream().map(SimulatedRegistrar::number).filter(n -> n != registrar.number()).toList());
  }

  List<SimulatedRegistrar> up() {
    return registrars.stream().filter(SimulatedRegistrar::isUp).toList();
  }

  void isolate(SimulatedRegistrar some) {
    isolatedAt = Math.min(isolatedAt, network.now());
    network.isolate(Set.of(some.number()));
  }

  void heal() {
    network.isolate(Set.of());
  }

  /** From now on, changes made during the isolation must be known everywhere. */
  void healed() {
    isolatedAt = Long.MAX_VALUE;
  }

  /** Advances time, checking that no live element is missing and no dead element stays. */
  void pass(long millis) {
    long until = network.now() + millis;
    while (network.now() < until) {
      network.runUntil(Math.min(until, network.now() + STEP_MILLIS));
      registrars.stream().filter(r -> r.servesSince() <= network.now() - NEWS_MILLIS).forEach(this::check);
    }
  }

  private void check(SimulatedRegistrar registrar) {
    long known = Math.min(network.now() - NEWS_MILLIS, isolatedAt);
    boolean old = registrar.servesSince() <= isolatedAt;
    for (SimulatedElement element : elements) {
      boolean here = registrar.registrar().handlespace().element(element.key()).isPresent();
      if (!here && element.registeredSince() <= known && old) {
        throw new AssertionError(
            registrar.number() + " at " + network.now() + " misses " + element.key() + ", alive since "
                + element.registeredSince());
      }
      if (here && !element.isUp() && element.changedAt() <= network.now() - REMOVAL_MILLIS) {
        throw new AssertionError(
            registrar.number() + " at " + network.now() + " still knows " + element.key() + ", dead since "
                + element.changedAt());
      }
    }
  }

  /** All registrars know exactly the live elements; updates in transit may cause brief differences. */
  void checkAgreement() {
    for (int left = 40; left > 0; left--) {
      if (agree()) {
        break;
      }
      pass(25);
    }
    requireAgreement();
  }

  private boolean agree() {
    List<SimulatedRegistrar> serving = up();
    Map<ElementKey, TableEntry> table = serving.get(0).table();
    return serving.stream().allMatch(registrar -> registrar.table().equals(table));
  }

  private void requireAgreement() {
    Set<ElementKey> alive =
        elements.stream()
            .filter(SimulatedElement::isUp)
            .map(SimulatedElement::key)
            .collect(Collectors.toCollection(TreeSet::new));
    List<SimulatedRegistrar> serving = up();
    Map<ElementKey, TableEntry> table = serving.get(0).table();
    assertThat(table.keySet()).isEqualTo(alive);
    Set<Integer> ids = serving.stream().map(SimulatedRegistrar::id).collect(Collectors.toSet());
    assertThat(table.values()).allSatisfy(entry -> assertThat(ids).contains(entry.element().home()));
    for (SimulatedRegistrar registrar : serving) {
      assertThat(registrar.registrar().isServing()).isTrue();
      assertThat(homes(registrar.table())).isEqualTo(homes(table));
      for (int id : ids) {
        assertThat(checksum(registrar, id)).isEqualTo(checksum(serving.get(0), id));
      }
    }
  }

  private static Map<ElementKey, String> homes(Map<ElementKey, TableEntry> table) {
    Map<ElementKey, String> homes = new TreeMap<>();
    table.forEach((key, entry) -> homes.put(key, entry.element().home() + " " + entry.element().version()));
    return homes;
  }

  private static Checksum checksum(SimulatedRegistrar registrar, int of) {
    return registrar.registrar().handlespace().synchronisation().checksum(of);
  }
}
