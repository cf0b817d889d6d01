package io.rns.loadtest.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rns.loadtest.sim.Element.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ElementTest {
  private final Calendar calendar = new Calendar();
  private final List<Double> finished = new ArrayList<>();

  private Element element(double capacity, int limit) {
    return new Element(calendar, capacity, limit, false, () -> {}, () -> {});
  }

  private void finishes() {
    finished.add(calendar.now());
  }

  /** Two of 100 at 10/s share until 20 s; the third of 50 comes at 10 s, when both still need 50. */
  @Test
  void capacityIsSharedEvenly() {
    Element element = element(10, 3);
    element.offer(100, this::finishes);
    element.offer(120, this::finishes);
    calendar.runUntil(10);
    assertThat(element.offer(20, this::finishes)).isEqualTo(Answer.ACCEPTED);
    assertThat(element.offer(1, this::finishes)).isEqualTo(Answer.REJECTED);
    calendar.runUntil(1_000);
    assertThat(finished).hasSize(3);
    assertThat(finished.get(0)).isCloseTo(16, within(1e-9));
    assertThat(finished.get(1)).isCloseTo(22, within(1e-9));
    assertThat(finished.get(2)).isCloseTo(24, within(1e-9));
    assertThat(element.busySeconds()).isCloseTo(24, within(1e-9));
    assertThat(element.arrived()).isEqualTo(4);
    assertThat(element.held()).isZero();
  }

  @Test
  void everyChangeIsTold() {
    List<String> told = new ArrayList<>();
    Element[] self = new Element[1];
    self[0] = new Element(calendar, 10, 1, false, () -> told.add(calendar.now() + ": " + self[0].held()),
        () -> told.add("turned away"));
    self[0].offer(10, () -> told.add("done"));
    self[0].offer(10, () -> told.add("never"));
    calendar.runUntil(5);
    assertThat(told).containsExactly("0.0: 1", "turned away", "1.0: 0", "done");
  }

  @Test
  void aSinkFailsAtOnceAndHoldsNothing() {
    Element sink = new Element(calendar, 10, 1, true, () -> {}, () -> {});
    assertThat(sink.offer(10, this::finishes)).isEqualTo(Answer.FAILED);
    assertThat(sink.offer(10, this::finishes)).isEqualTo(Answer.FAILED);
    assertThat(sink.held()).isZero();
    calendar.runUntil(100);
    assertThat(finished).isEmpty();
  }

  /** Every step gives each request its share; that is wrong by at most a step per change. */
  @Test
  void agreesWithAModelOfSmallSteps() {
    SplittableRandom random = new SplittableRandom(11);
    Element element = element(7, 5);
    double step = 1e-3;
    double[] need = new double[40];
    double[] naive = new double[40];
    double[] exact = new double[40];
    int next = 0;
    double nextAt = 0;
    int naiveHeld = 0;
    for (long tick = 0; tick < 200_000; tick++) {
      double now = tick * step;
      calendar.runUntil(now);
      if (now >= nextAt && next < need.length && naiveHeld < 5 && element.held() < 5) {
        int job = next++;
        need[job] = Simulation.exponential(random, 10);
        assertThat(element.offer(need[job], () -> exact[job] = calendar.now())).isEqualTo(Answer.ACCEPTED);
        nextAt = now + Simulation.exponential(random, 1.6);
      }
      naiveHeld = stepOf(need, naive, next, now, 7 * step);
    }
    for (int i = 0; i < need.length; i++) {
      assertThat(exact[i]).as("end of request %s", i).isPositive().isCloseTo(naive[i], within(0.05));
    }
  }

  private static int stepOf(double[] need, double[] naive, int known, double now, double work) {
    int held = 0;
    for (int i = 0; i < known; i++) {
      held += need[i] > 0 ? 1 : 0;
    }
    int left = held;
    for (int i = 0; i < known; i++) {
      if (need[i] > 0) {
        need[i] -= work / held;
        if (need[i] <= 0) {
          naive[i] = now;
          left--;
        }
      }
    }
    return left;
  }
}
