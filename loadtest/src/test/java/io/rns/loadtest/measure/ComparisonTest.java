package io.rns.loadtest.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  @Test
  void callsALossALossOnlyBeyondTheSpread() {
    List<Double> steady = List.of(1_000.0, 1_010.0, 990.0, 1_005.0, 995.0);
    List<Double> slower = List.of(900.0, 905.0, 895.0, 910.0, 890.0);
    assertThat(Comparison.of(steady, slower, 0.05, true).isRegression()).isTrue();
    assertThat(Comparison.of(slower, steady, 0.05, true).isRegression()).isFalse();
    // the same loss among runs that vary by half
    List<Double> unsteady = List.of(1_300.0, 700.0, 1_200.0, 800.0, 1_000.0);
    List<Double> slowerUnsteady = List.of(1_170.0, 630.0, 1_080.0, 720.0, 900.0);
    assertThat(Comparison.of(unsteady, slowerUnsteady, 0.05, true).isRegression()).isFalse();
  }

  @Test
  void longerLatenciesAreWorse() {
    List<Double> before = List.of(100.0, 101.0, 99.0);
    List<Double> now = List.of(150.0, 151.0, 149.0);
    Comparison longer = Comparison.of(before, now, 0.05, false);
    assertThat(longer.isRegression()).isTrue();
    assertThat(longer.ratio()).isEqualTo(1.5, within(0.001));
    assertThat(longer.bound()).isBetween(1.0, 1.2);
    assertThat(Comparison.of(now, before, 0.05, false).isRegression()).isFalse();
  }

  @Test
  void toleranceIsGrantedToRunsWithoutAnySpread() {
    List<Double> before = List.of(100.0, 100.0);
    assertThat(Comparison.of(before, List.of(96.0, 96.0), 0.05, true).isRegression()).isFalse();
    assertThat(Comparison.of(before, List.of(94.0, 94.0), 0.05, true).isRegression()).isTrue();
    assertThat(Comparison.of(before, List.of(104.0, 104.0), 0.05, false).isRegression()).isFalse();
    assertThat(Comparison.of(before, List.of(106.0, 106.0), 0.05, false).isRegression()).isTrue();
    assertThat(Comparison.of(before, List.of(99.9, 99.9), 0, true).isRegression()).isTrue();
  }

  @Test
  void chanceAlonePassesTheBoundOnceInAHundred() {
    // figures of one log-normal distribution: nothing has changed
    SplittableRandom random = new SplittableRandom(11);
    int worse = 0;
    int comparisons = 4_000;
    for (int i = 0; i < comparisons; i++) {
      worse += Comparison.of(runs(random, 5), runs(random, 5), 0, true).isRegression() ? 1 : 0;
    }
    assertThat(worse * 100.0 / comparisons).isBetween(0.3, 1.6);
  }

  private static List<Double> runs(SplittableRandom random, int count) {
    List<Double> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      runs.add(Math.exp(7 + 0.2 * random.nextGaussian()));
    }
    return runs;
  }

  @Test
  void refusesWhatCannotBeCompared() {
    List<Double> good = List.of(1.0, 2.0);
    assertThatThrownBy(() -> Comparison.of(good, List.of(1.0), 0.05, true)).hasMessageContaining("1 runs are too few");
    assertThatThrownBy(() -> Comparison.of(List.of(), good, 0.05, true)).hasMessageContaining("0 runs are too few");
    assertThatThrownBy(() -> Comparison.of(good, List.of(1.0, 0.0), 0.05, true)).hasMessageContaining("0.0");
  }
}
