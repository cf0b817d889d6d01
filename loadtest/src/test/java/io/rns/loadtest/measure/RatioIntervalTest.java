package io.rns.loadtest.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RatioIntervalTest {
  @Test
  void roundsThatAgreeLeaveNothingOpen() {
    RatioInterval ratio = RatioInterval.of(List.of(1.0, 10.0, 3.0), List.of(2.0, 20.0, 6.0));
    assertThat(ratio.ratio()).isCloseTo(0.5, within(1e-9));
    assertThat(ratio.low()).isCloseTo(0.5, within(1e-9));
    assertThat(ratio.high()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void theIntervalIsStudents() {
    // Logarithms of the ratios: 0, ln 2, ln 4. Mean ln 2, standard error ln 2 / sqrt 3, 4.303 of them for two degrees.
    RatioInterval ratio = RatioInterval.of(List.of(1.0, 2.0, 4.0), List.of(1.0, 1.0, 1.0));
    assertThat(ratio.ratio()).isCloseTo(2, within(1e-9));
    assertThat(ratio.high() / ratio.ratio()).isCloseTo(Math.pow(2, 4.3027 / Math.sqrt(3)), within(1e-3));
    assertThat(ratio.ratio() / ratio.low()).isCloseTo(ratio.high() / ratio.ratio(), within(1e-9));
  }

  @Test
  void nineteenOfTwentyIntervalsOfTheSameThingContainOne() {
    SplittableRandom random = new SplittableRandom(11);
    long contain = Stream.generate(() -> RatioInterval.of(noisy(random), noisy(random))).limit(2_000)
        .filter(ratio -> ratio.low() <= 1 && ratio.high() >= 1).count();
    assertThat(contain).isBetween(1_860L, 1_940L);
  }

  private static List<Double> noisy(SplittableRandom random) {
    return Stream.generate(() -> Math.exp(0.3 * random.nextGaussian())).limit(5).toList();
  }

  @Test
  void oneRoundOrAZeroHasNoInterval() {
    assertThat(RatioInterval.of(List.of(1.0), List.of(4.0))).isEqualTo(
        new RatioInterval(0.25, Double.NaN, Double.NaN));
    assertThat(RatioInterval.of(List.of(0.0, 2.0), List.of(2.0, 2.0))).isEqualTo(
        new RatioInterval(0.5, Double.NaN, Double.NaN));
  }
}
