package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.handlespace.ElementKey;
import io.rns.handlespace.TableEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Through crashes, restarts and isolation, pools and live elements stay, dead elements are removed, and all registrars
 * agree in the end.
 */
class RegistrarSimulationTest {
  private static final String SEED = "rns.test.seed";
  private static final int SCENARIOS = Integer.getInteger("rns.test.scenarios", 150);

  private static void startAll(SimulatedScope scope) {
    scope.registrars.forEach(scope::start);
    scope.pass(2_000);
    scope.elements.forEach(element -> scope.network.after(scope.network.random.nextInt(2_000), element::start));
    scope.pass(5_000);
    scope.checkAgreement();
  }

  /** Full size: registrars crash one after the other until one is left and come back; one is isolated for a minute. */
  @Test
  void threeRegistrarsAThousandElementsThreeHundredUsers() {
    SimulatedScope scope = new SimulatedScope(1, 3, 1_000, 16);
    startAll(scope);
    scope.addUsers(300, 5_000);
    int first = scope.registrars.get(0).id();
    scope.registrars.get(0).kill();
    scope.pass(15_000);
    assertThat(scope.takeovers).containsExactly(Map.entry(first, 1));
    scope.checkAgreement();
    scope.registrars.get(1).kill();
    scope.pass(15_000);
    // The last registrar has no peers, and all elements.
    assertThat(scope.takeovers).hasSize(1);
    scope.checkAgreement();
    scope.registrars.subList(0, 2).forEach(scope::start);
    scope.pass(5_000);
    scope.checkAgreement();

    scope.elements.subList(0, 100).forEach(SimulatedElement::kill);
    scope.pass(5_000);
    scope.checkAgreement();

    scope.isolate(scope.registrars.get(1));
    scope.pass(60_000);
    scope.heal();
    scope.pass(15_000);
    scope.healed();
    scope.checkAgreement();
    assertThat(scope.users).allSatisfy(user -> {
      assertThat(user.refused).isZero();
      assertThat(user.asked - user.answered).isLessThanOrEqualTo(2);
    });
    assertThat(scope.users.stream().mapToLong(user -> user.answered).sum()).isGreaterThan(300 * 10);
    assertThat(scope.users.stream().mapToLong(user -> user.reported).sum()).isPositive();
  }

  /** Both sides of a partition take over the elements of the other, which reach both and go where they are told. */
  @Test
  void afterAPartitionRegistrarsAndElementsAgreeOnTheHome() {
    SimulatedScope scope = new SimulatedScope(3, 2, 40, 4);
    startAll(scope);
    scope.isolate(scope.registrars.get(0));
    scope.pass(20_000);
    scope.heal();
    scope.pass(10_000);
    scope.healed();
    scope.checkAgreement();
    Map<Integer, Integer> hosts = new HashMap<>();
    scope.registrars.forEach(registrar -> hosts.put(registrar.id(), registrar.number()));
    Map<ElementKey, TableEntry> table = scope.registrars.get(0).table();
    assertThat(scope.elements).extracting(SimulatedElement::home).contains(hosts.values().toArray(Integer[]::new));
    assertThat(scope.elements).allSatisfy(
        element -> assertThat(hosts.get(table.get(element.key()).element().home())).isEqualTo(element.home()));
  }

  @Test
  void randomScenarios() {
    long first = Long.getLong(SEED, 1);
    for (long seed = first; seed < first + SCENARIOS; seed++) {
      try {
        scenario(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with -D" + SEED + "=" + seed + ": " + e, e);
      }
    }
  }

  /** Every second scenario runs without isolation; there, no live element may ever be missing. */
  private static void scenario(long seed) {
    SimulatedScope scope = new SimulatedScope(seed, 2 + (int) (seed % 3), 12, 4);
    RandomGenerator random = scope.network.random;
    scope.registrars.forEach(scope::start);
    scope.pass(2_000);
    scope.addUsers(4, 500);
    for (int step = 0; step < 30; step++) {
      if (random.nextInt(3) == 0) {
        registrarStep(scope, seed % 2 == 0);
      } else {
        elementStep(scope.elements.get(random.nextInt(scope.elements.size())), random);
      }
      scope.pass(random.nextInt(4) == 0 ? random.nextInt(12_000) : random.nextInt(300));
    }
    scope.heal();
    scope.registrars.stream().filter(registrar -> !registrar.isUp()).forEach(scope::start);
    scope.pass(SimulatedScope.REMOVAL_MILLIS + 50_000);
    scope.checkAgreement();
    scope.healed();
    scope.pass(5_000);
    scope.checkAgreement();
  }

  private static void registrarStep(SimulatedScope scope, boolean isolation) {
    RandomGenerator random = scope.network.random;
    SimulatedRegistrar registrar = scope.registrars.get(random.nextInt(scope.registrars.size()));
    if (isolation && random.nextInt(3) == 0) {
      if (random.nextBoolean()) {
        scope.isolate(registrar);
      } else {
        scope.heal();
      }
    } else if (!registrar.isUp()) {
      scope.start(registrar);
    } else if (serving(scope).stream().anyMatch(other -> other != registrar)) {
      registrar.kill();
    }
  }

  private static List<SimulatedRegistrar> serving(SimulatedScope scope) {
    long enough = scope.network.now() - 1_000;
    return scope.registrars.stream().filter(registrar -> registrar.servesSince() <= enough).toList();
  }

  private static void elementStep(SimulatedElement element, RandomGenerator random) {
    if (!element.isUp()) {
      element.start();
    } else if (random.nextBoolean()) {
      element.kill();
    } else {
      element.leave();
    }
  }
}
