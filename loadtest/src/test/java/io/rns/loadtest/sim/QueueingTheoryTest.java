package io.rns.loadtest.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What is known without simulating. Seeds are fixed: the tests see the same numbers every time. */
class QueueingTheoryTest {
  private static final int SEEDS = 30;
  /** Of Student's t with 29 degrees of freedom, for 99 %. */
  private static final double T = 2.756;

  /**
   * The mean time of a request at one element that requests reach at random times, at 80 % load, service times 1 s on
   * average.
   */
  private static double meanSeconds(long seed, ToDoubleFunction<SplittableRandom> size) {
    Calendar calendar = new Calendar();
    SplittableRandom random = new SplittableRandom(seed);
    Element element = new Element(calendar, 1, Integer.MAX_VALUE, false, () -> {}, () -> {});
    double[] sum = new double[2];
    double at = 0;
    for (int i = 0; i < 40_000; i++) {
      at += Simulation.exponential(random, 1 / 0.8);
      calendar.runUntil(at);
      double since = at;
      element.offer(
          size.applyAsDouble(random),
          () -> {
            sum[0] += calendar.now() - since;
            sum[1]++;
          });
    }
    return sum[0] / sum[1];
  }

  private static void assertMeanIsFive(ToDoubleFunction<SplittableRandom> size) {
    double sum = 0;
    double squares = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      double mean = meanSeconds(seed, size);
      sum += mean;
      squares += mean * mean;
    }
    double mean = sum / SEEDS;
    double deviation = Math.sqrt((squares - sum * mean) / (SEEDS - 1));
    double halfWidth = T * deviation / Math.sqrt(SEEDS);
    assertThat(halfWidth).isLessThan(0.15);
    assertThat(mean).isCloseTo(5, within(halfWidth));
  }

  /** M/M/1 with processor sharing: 1 / (1 - 0.8) service times. */
  @Test
  void exponentialSizes() {
    assertMeanIsFive(random -> Simulation.exponential(random, 1));
  }

  /** Processor sharing cares for the mean of the sizes only; a queue would take 3 s here. */
  @Test
  void equalSizesTakeAsLong() {
    assertMeanIsFive(random -> 1);
  }

  /** Equation 3, turned around and back; and Little: requests present are their rate times their duration. */
  @Test
  void utilisationAndLittlesLawInTheWholeModel() {
    Scenario scenario = Scenario.BASE.with(Map.of("requestSeconds", 1, "minutes", 600, "warmUpMinutes", 60));
    Observation seen = Simulation.run(scenario, 1);
    assertThat(seen.utilisation()).isCloseTo(0.8, within(0.01));
    assertThat(seen.served() / seen.seconds()).isCloseTo(8, within(0.05));
    assertThat(seen.present()).isCloseTo(seen.served() / seen.seconds() * seen.handlingSeconds(), within(0.05));
  }

  /** Question, answer, request, end: with nobody else around a request takes its size and four delays. */
  @Test
  void networkDelayIsPaidFourTimesAndRejectionsNever() {
    Scenario idle =
        Scenario.BASE.with(Map.of("usersPerElement", 1, "requestSeconds", 1, "utilisation", 0.001,
            "distribution", Distribution.LINEAR, "ratio", 1, "minutes", 20_000, "warmUpMinutes", 10));
    Observation near = Simulation.run(idle, 5);
    Observation far = Simulation.run(idle.with(Map.of("networkSeconds", 0.25, "reportSeconds", 0)), 5);
    assertThat(near.handlingSeconds()).as("three standard deviations of 12,000 requests").isCloseTo(1, within(0.028));
    assertThat(far.handlingSeconds() - near.handlingSeconds()).isCloseTo(1, within(0.01));
    assertThat(far.rejections()).isZero();
    assertThat(far.resolutions()).isCloseTo(far.tries(), within(1L));
  }
}
