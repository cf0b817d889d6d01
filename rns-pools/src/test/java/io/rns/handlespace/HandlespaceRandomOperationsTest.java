package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.api.RandomCases;
import io.rns.api.RnsPath;
import io.rns.pool.Distance;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** For random operations in random order, the results equal those of the naive handlespace. */
class HandlespaceRandomOperationsTest {
  private static final int SELF = 2;
  private static final List<RnsPath> HANDLES =
      List.of(RnsPath.parse("/a"), RnsPath.parse("/a/b"), RnsPath.parse("/a.b"), RnsPath.parse("/ü"), RnsPath.ROOT);
  private static final List<Integer> IDS = List.of(1, 2, 3, 0x7fff_ffff, 0x8000_0000, -1);
  private static final List<Integer> HOMES = List.of(1, SELF, -3);
  private static final List<String> ADDRESSES = List.of("http://a/", "http://b/", "http://c/");

  private static final class Case {
    private final RandomGenerator random;
    private final Handlespace tested;
    private final NaiveHandlespace naive;
    private final PolicyType usual;
    private long now;
    private long accepted;

    Case(RandomGenerator random) {
      this.random = random;
      int elementsPerPool = 2 + random.nextInt(6);
      HandlespaceSettings settings =
          new HandlespaceSettings(3, 14, elementsPerPool, 1 + random.nextInt(5), random.nextInt(4), 40, 25, 2);
      long seed = random.nextLong();
      tested = new Handlespace(SELF, 0, settings, new SplittableRandom(seed));
      naive = new NaiveHandlespace(SELF, settings, new SplittableRandom(seed));
      usual = RandomCases.one(random, List.of(PolicyType.values()));
    }

    private RnsPath handle() {
      return HANDLES.get(random.nextInt(random.nextInt(8) == 0 ? HANDLES.size() : HANDLES.size() - 1));
    }

    private ElementKey key() {
      return new ElementKey(handle(), RandomCases.one(random, IDS));
    }

    private PolicyType policy() {
      return random.nextInt(12) == 0 ? RandomCases.one(random, List.of(PolicyType.values())) : usual;
    }

    private Registration registration(int id) {
      List<EndpointReference> endpoints = new ArrayList<>();
      do {
        endpoints.add(EndpointReference.ofAddress(RandomCases.one(random, ADDRESSES)));
      } while (random.nextInt(4) > 0);
      accepted += random.nextInt(3);
      Occupancy occupancy = new Occupancy(random.nextInt(2), accepted, random.nextInt(4), random.nextInt(6));
      Parameters parameters =
          new Parameters(random.nextInt(4), random.nextInt(3), random.nextInt(40), random.nextInt(10),
              random.nextInt(3), occupancy);
      long lifetime = random.nextInt(4) == 0 ? Registration.FOREVER : 1 + random.nextInt(100);
      return new Registration(id, endpoints, parameters, lifetime);
    }

    private TableEntry news() {
      ElementKey key = key();
      RegisteredElement element =
          new RegisteredElement(registration(key.id()), RandomCases.one(random, HOMES), random.nextInt(60));
      return new TableEntry(key.handle(), policy(), element);
    }

    /** Performs one operation and returns both results. */
    List<Object> step() {
      now += random.nextInt(10) == 0 ? -random.nextInt(50) : random.nextInt(12);
      ElementKey key = key();
      return switch (random.nextInt(14)) {
        case 0, 1, 2, 3 -> register(key);
        case 4 -> List.of(tested.deregister(key, now), naive.deregister(key, now));
        case 5, 6, 7 -> {
          int items = 1 + random.nextInt(6);
          yield List.of(tested.resolve(key.handle(), items), naive.resolve(key.handle(), items));
        }
        case 8, 9 -> {
          TableEntry news = news();
          yield List.of(tested.apply(news, now), naive.apply(news, now));
        }
        case 10 -> {
          int version = random.nextInt(80);
          yield List.of(tested.applyRemoval(key, version, now), naive.applyRemoval(key, version, now));
        }
        case 11 -> {
          int max = 1 + random.nextInt(5);
          yield List.of(tested.run(now, max), naive.run(now, max));
        }
        case 12 -> heard(key);
        default -> random.nextBoolean() ? takeOver() : measured(key);
      };
    }

    private List<Object> register(ElementKey key) {
      PolicyType policy = policy();
      Registration registration = registration(key.id());
      return List.of(
          tested.register(key.handle(), policy, registration, now),
          naive.register(key.handle(), policy, registration, now));
    }

    private List<Object> heard(ElementKey key) {
      if (random.nextBoolean()) {
        return List.of(tested.acknowledge(key, now), naive.acknowledge(key, now));
      }
      long reporter = random.nextInt(9);
      return List.of(tested.reportUnreachable(key, reporter, now), naive.reportUnreachable(key, reporter, now));
    }

    private List<Object> measured(ElementKey key) {
      Distance distance = new Distance(50 * random.nextInt(3));
      return List.of(tested.measured(key, distance), naive.measured(key, distance));
    }

    private List<Object> takeOver() {
      int from = random.nextInt(HOMES.size());
      int to = (from + 1 + random.nextInt(HOMES.size() - 1)) % HOMES.size();
      int max = 1 + random.nextInt(3);
      List<TableEntry> moved = new ArrayList<>();
      TablePage page;
      do {
        page = tested.synchronisation().takeOver(HOMES.get(from), HOMES.get(to), max, now);
        moved.addAll(page.entries());
      } while (page.more());
      List<ElementKey> expected = naive.tableOf(HOMES.get(from)).stream().map(TableEntry::key).toList();
      naive.takeOver(HOMES.get(from), HOMES.get(to), now);
      return List.of(moved.stream().map(TableEntry::key).toList(), expected);
    }

    void check() {
      tested.checkInvariants();
      List<TableEntry> table = naive.table();
      assertThat(tested.size()).isEqualTo(table.size());
      assertThat(tested.poolCount()).isEqualTo((int) table.stream().map(TableEntry::handle).distinct().count());
      assertThat(walk(Optional.empty())).isEqualTo(table);
      for (int home : HOMES) {
        assertThat(walk(Optional.of(home))).isEqualTo(naive.tableOf(home));
        assertThat(tested.synchronisation().checksum(home).internet()).isEqualTo(naive.internetChecksum(home));
      }
      for (TableEntry entry : table) {
        assertThat(tested.element(entry.key())).contains(entry.element());
      }
    }

    /** Reads the table in random steps. */
    private List<TableEntry> walk(Optional<Integer> home) {
      Synchronisation synchronisation = tested.synchronisation();
      int max = 1 + random.nextInt(4);
      List<TableEntry> walked = new ArrayList<>();
      Optional<ElementKey> after = Optional.empty();
      TablePage page;
      do {
        page = home.isPresent() ? synchronisation.tableOf(home.get(), after, max) : synchronisation.table(after, max);
        walked.addAll(page.entries());
        after = walked.isEmpty() ? after : Optional.of(walked.get(walked.size() - 1).key());
      } while (page.more());
      return walked;
    }
  }

  @Test
  void resultsEqualThoseOfTheNaiveHandlespace() {
    RandomCases.check(
        random -> {
          Case compared = new Case(random);
          for (int i = 0; i < 120; i++) {
            List<Object> answers = compared.step();
            assertThat(answers.get(0)).as("step %d", i).isEqualTo(answers.get(1));
          }
          compared.check();
        });
  }

  /** Equal sets have equal checksums, however they came about; another version changes the checksum. */
  @Test
  void checksumsDistinguishSets() {
    RandomCases.check(
        random -> {
          Case compared = new Case(random);
          for (int i = 0; i < 40; i++) {
            compared.step();
          }
          Handlespace copy = new Handlespace(9, 0, HandlespaceSettings.DEFAULTS, new SplittableRandom(1));
          for (TableEntry entry : compared.naive.table()) {
            copy.apply(entry, 0);
          }
          for (int home : HOMES) {
            Checksum checksum = compared.tested.synchronisation().checksum(home);
            assertThat(copy.synchronisation().checksum(home)).isEqualTo(checksum);
            for (TableEntry entry : compared.naive.tableOf(home)) {
              RegisteredElement newer =
                  new RegisteredElement(entry.element().registration(), home, entry.element().version() + 1);
              copy.apply(new TableEntry(entry.handle(), entry.policy(), newer), 0);
              Checksum after = copy.synchronisation().checksum(home);
              assertThat(after.versions()).isNotEqualTo(checksum.versions());
              assertThat(after.internet()).isEqualTo(checksum.internet());
              copy.applyRemoval(entry.key(), newer.version(), 0);
              copy.apply(entry, 0);
            }
            assertThat(copy.synchronisation().checksum(home)).isEqualTo(checksum);
          }
        });
  }
}
