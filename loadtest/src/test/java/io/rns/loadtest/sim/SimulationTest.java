package io.rns.loadtest.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rns.error.RnsException;
import io.rns.pool.PolicyType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
  private static final Scenario SHORT = Scenario.BASE.withMinutes(10, 1).withMinCapacity(333_333, false);

  @ParameterizedTest
  @EnumSource
  void everyPolicyServesAndIsTheSameForTheSameSeed(PolicyType policy) {
    Scenario scenario = SHORT.withPolicy(policy, 3).withDelays(0.05, 0.5).withCacheShare(0.2);
    Observation first = Simulation.run(scenario, 7);
    assertThat(first.served()).isGreaterThan(100);
    assertThat(first.speed()).isBetween(0.0001, 1.5);
    assertThat(Simulation.run(scenario, 7)).isEqualTo(first);
    assertThat(Simulation.run(scenario, 8)).isNotEqualTo(first);
  }

  /** Written down from a run: a change of the model, or of a policy, has to be seen as one. */
  @Test
  void theNumbersAreTheSameEverywhere() {
    Observation seen = Simulation.run(SHORT.withPolicy(PolicyType.ROUND_ROBIN, 1), 2026);
    assertThat(seen.served()).isEqualTo(GOLDEN_SERVED);
    assertThat(seen.tries()).isEqualTo(GOLDEN_TRIES);
    assertThat(seen.speed()).isEqualTo(GOLDEN_SPEED);
  }

  private static final long GOLDEN_SERVED = 923;
  private static final long GOLDEN_TRIES = 1197;
  private static final double GOLDEN_SPEED = 0.16373723960114292;

  /** Requests come at the same times with the same sizes whatever selects: only the speed tells policies apart. */
  @Test
  void policiesAreComparedUnderTheSameRequests() {
    Observation used = Simulation.run(SHORT.withMinutes(600, 10), 3);
    Observation turns = Simulation.run(SHORT.withMinutes(600, 10).withPolicy(PolicyType.ROUND_ROBIN, 1), 3);
    assertThat(turns.served()).isCloseTo(used.served(), within(100L));
    assertThat(turns.utilisation()).isCloseTo(used.utilisation(), within(0.005));
    assertThat(turns.speed()).isLessThan(used.speed() / 2);
    assertThat(turns.rejectedShare()).isGreaterThan(0.1);
    assertThat(turns.resolutionsPerRequest()).isGreaterThan(1.2);
    assertThat(turns.tries() - turns.rejections()).isCloseTo(turns.served(), within(40L));
  }

  @Test
  void aCacheSparesResolutions() {
    Scenario scenario = SHORT.withPolicy(PolicyType.RANDOM, 3).withLoad(3, 1, 0.8).withMinutes(60, 10);
    Observation without = Simulation.run(scenario, 1);
    Observation with = Simulation.run(scenario.withCacheShare(1), 1);
    assertThat(without.resolutions()).isEqualTo(without.tries());
    assertThat(with.resolutions()).isLessThan(without.resolutions() * 9 / 10);
  }

  @Test
  void reportsThatComeLateSlowLeastUsed() {
    Observation fresh = Simulation.run(SHORT.withMinutes(60, 10), 1);
    Observation stale = Simulation.run(SHORT.withMinutes(60, 10).withDelays(0, 5), 1);
    assertThat(stale.speed()).isLessThan(fresh.speed() / 2);
  }

  @Test
  void sinksFailRequestsAndTheAdaptiveUserAvoidsThem() {
    Scenario scenario = SHORT.withElements(20, 2).withDistribution(Distribution.LINEAR, 1).withLoad(3, 0.1, 0.7);
    Observation naive = Simulation.run(scenario.withPolicy(PolicyType.LEAST_USED, 1), 1);
    Observation adaptive = Simulation.run(scenario.withPolicy(PolicyType.ADAPTIVE, 3), 1);
    assertThat(naive.failedShare()).isGreaterThan(0.15);
    assertThat(adaptive.failedShare()).isLessThan(naive.failedShare() / 5);
  }

  @Test
  void anElementWithLessThanTheMinimumCanBeRaisedToIt() {
    Scenario scenario = Scenario.BASE.withDistribution(Distribution.THREE_FAST, 5).withMinCapacity(500_000, false);
    Observation asItIs = Simulation.run(scenario, 1);
    Observation raised = Simulation.run(scenario.withMinCapacity(500_000, true), 1);
    assertThat(raised.utilisation()).isCloseTo(asItIs.utilisation() / 1.0318, within(0.01));
    assertThat(raised.speed()).isGreaterThan(asItIs.speed());
  }

  @Test
  void wrongSettingsAreNamed() {
    assertThatThrownBy(() -> Scenario.BASE.withLoad(3, 1, 1)).isInstanceOf(RnsException.class)
        .hasMessageContaining("utilisation");
    assertThatThrownBy(() -> Scenario.BASE.withElements(10, 10)).isInstanceOf(RnsException.class)
        .hasMessageContaining("sinks");
    assertThatThrownBy(() -> Scenario.BASE.withMinutes(Double.NaN, 0)).isInstanceOf(RnsException.class);
  }
}
