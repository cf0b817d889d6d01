package io.rns.loadtest.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EstimateTest {
  /** t of 4 degrees of freedom for 95 % is 2.776445; the deviation of 1 to 5 is the root of 2.5. */
  @Test
  void aMeanWithItsInterval() {
    Estimate estimate = Estimate.of(List.of(1, 2, 3, 4, 5), v -> v);
    assertThat(estimate.mean()).isEqualTo(3);
    assertThat(estimate.halfWidth()).isCloseTo(2.776445 * Math.sqrt(2.5 / 5), within(1e-5));
    assertThat(Estimate.of(List.of(7), v -> v)).isEqualTo(new Estimate(7, 0));
  }

  /** 1,000 intervals of 5 values each; three standard deviations are 21. */
  @Test
  void theTrueMeanIsInsideIn95Of100Cases() {
    SplittableRandom random = new SplittableRandom(3);
    int inside = 0;
    for (int i = 0; i < 1_000; i++) {
      List<Double> values = new ArrayList<>();
      for (int j = 0; j < 5; j++) {
        values.add(random.nextGaussian());
      }
      Estimate estimate = Estimate.of(values, v -> v);
      inside += Math.abs(estimate.mean()) <= estimate.halfWidth() ? 1 : 0;
    }
    assertThat(inside).isBetween(929, 971);
  }
}
