package io.rns.loadtest.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DistributionTest {
  /** The paper's own example: 833,333 calculations per second at 3, 800,000 at 3.5. */
  @Test
  void equationsFourAndFive() {
    double[] three = Distribution.ONE_FAST.capacities(10, 1e7, 3);
    assertThat(three[0]).isCloseTo(833_333.333, within(0.001));
    assertThat(three[8]).isEqualTo(three[0]);
    assertThat(three[9]).isCloseTo(2_500_000, within(0.001));
    assertThat(Distribution.ONE_FAST.capacities(10, 1e7, 3.5)[0]).isCloseTo(800_000, within(0.001));
    double[] fast = Distribution.THREE_FAST.capacities(10, 1e7, 5);
    assertThat(fast[6]).isCloseTo(1e7 / 22, within(0.001));
    assertThat(fast[7]).isCloseTo(5e7 / 22, within(0.001));
  }

  @Test
  void linearRisesInEvenSteps() {
    double[] linear = Distribution.LINEAR.capacities(10, 1e7, 3);
    assertThat(linear[0]).isCloseTo(500_000, within(0.001));
    assertThat(linear[9]).isCloseTo(1_500_000, within(0.001));
    for (int i = 1; i < 10; i++) {
      assertThat(linear[i] - linear[i - 1]).isCloseTo(1e6 / 9, within(0.001));
    }
  }

  @ParameterizedTest
  @EnumSource
  void thePoolHasAlwaysTheSameCapacity(Distribution distribution) {
    for (double ratio = 1; ratio <= 10; ratio += 0.5) {
      double[] capacities = distribution.capacities(10, 1e7, ratio);
      assertThat(Arrays.stream(capacities).sum()).isCloseTo(1e7, within(1e-3));
      assertThat(capacities[9] / capacities[0]).isCloseTo(ratio, within(1e-9));
    }
  }
}
