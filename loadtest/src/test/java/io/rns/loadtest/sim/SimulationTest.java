package io.rns.loadtest.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rns.pool.PolicyType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
  private static final Scenario SHORT =
      Scenario.BASE.with(Map.of("minutes", 10, "warmUpMinutes", 1, "minCapacity", 333_333));

  @ParameterizedTest
  @EnumSource
  void everyPolicyServesAndIsTheSameForTheSameSeed(PolicyType policy) {
    Scenario scenario = SHORT.with(
        Map.of("policy", policy, "items", 3, "networkSeconds", 0.05, "reportSeconds", 0.5, "cacheShare", 0.2));
    Observation first = Simulation.run(scenario, 7);
    assertThat(first.served()).isGreaterThan(100);
    assertThat(first.speed()).isBetween(0.0001, 1.5);
    assertThat(Simulation.run(scenario, 7)).isEqualTo(first);
    assertThat(Simulation.run(scenario, 8)).isNotEqualTo(first);
  }

  /** Written down from a run: a change of the model, or of a policy, has to be seen as one. */
  @Test
  void theNumbersAreTheSameEverywhere() {
    Observation seen = Simulation.run(SHORT.with(Map.of("policy", PolicyType.ROUND_ROBIN, "items", 1)), 2026);
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
    Observation used = Simulation.run(SHORT.with(Map.of("minutes", 600, "warmUpMinutes", 10)), 3);
    Observation turns = Simulation.run(SHORT.with(Map.of("minutes", 600, "warmUpMinutes", 10))
        .with(Map.of("policy", PolicyType.ROUND_ROBIN, "items", 1)), 3);
    assertThat(turns.served()).isCloseTo(used.served(), within(100L));
    assertThat(turns.utilisation()).isCloseTo(used.utilisation(), within(0.005));
    assertThat(turns.speed()).isLessThan(used.speed() / 2);
    assertThat(turns.rejectedShare()).isGreaterThan(0.1);
    assertThat(turns.resolutionsPerRequest()).isGreaterThan(1.2);
    assertThat(turns.tries() - turns.rejections()).isCloseTo(turns.served(), within(40L));
  }

  @Test
  void aCacheSparesResolutions() {
    Scenario scenario = SHORT
        .with(Map.of("policy", PolicyType.RANDOM, "items", 3, "requestSeconds", 1, "minutes", 60, "warmUpMinutes", 10));
    Observation without = Simulation.run(scenario, 1);
    Observation with = Simulation.run(scenario.with(Map.of("cacheShare", 1)), 1);
    assertThat(without.resolutions()).isEqualTo(without.tries());
    assertThat(with.resolutions()).isLessThan(without.resolutions() * 9 / 10);
  }

  @Test
  void reportsThatComeLateSlowLeastUsed() {
    Observation fresh = Simulation.run(SHORT.with(Map.of("minutes", 60, "warmUpMinutes", 10)), 1);
    Observation stale = Simulation.run(SHORT.with(Map.of("minutes", 60, "warmUpMinutes", 10, "reportSeconds", 5)), 1);
    assertThat(stale.speed()).isLessThan(fresh.speed() / 2);
  }

  @Test
  void sinksFailRequestsAndTheAdaptiveUserAvoidsThem() {
    Scenario scenario = SHORT
        .with(Map.of("elements", 20, "sinks", 2, "distribution", Distribution.LINEAR, "ratio", 1, "requestSeconds", 0.1,
            "utilisation", 0.7));
    Observation naive = Simulation.run(scenario.with(Map.of("policy", PolicyType.LEAST_USED, "items", 1)), 1);
    Observation adaptive = Simulation.run(scenario.with(Map.of("policy", PolicyType.ADAPTIVE, "items", 3)), 1);
    assertThat(naive.failedShare()).isGreaterThan(0.15);
    assertThat(adaptive.failedShare()).isLessThan(naive.failedShare() / 5);
  }

  @Test
  void anElementWithLessThanTheMinimumCanBeRaisedToIt() {
    Scenario scenario =
        Scenario.BASE.with(Map.of("distribution", Distribution.THREE_FAST, "ratio", 5, "minCapacity", 500_000));
    Observation asItIs = Simulation.run(scenario, 1);
    Observation raised = Simulation.run(scenario.with(Map.of("raisesCapacity", true)), 1);
    assertThat(raised.utilisation()).isCloseTo(asItIs.utilisation() / 1.0318, within(0.01));
    assertThat(raised.speed()).isGreaterThan(asItIs.speed());
  }

  @Test
  void aSettingThatThereIsNotIsNamed() {
    assertThatThrownBy(() -> Scenario.BASE.with(Map.of("ration", 2))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ration");
  }
}
