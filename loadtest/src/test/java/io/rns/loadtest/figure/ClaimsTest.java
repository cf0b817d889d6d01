package io.rns.loadtest.figure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.loadtest.figure.Verdict.Agreement;
import io.rns.pool.PolicyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Claims against measurements that were made up. */
class ClaimsTest {
  private static final List<PolicyType> POLICIES =
      List.of(PolicyType.LEAST_USED, PolicyType.ROUND_ROBIN, PolicyType.RANDOM, PolicyType.ADAPTIVE);
  private static final List<String> HETEROGENEOUS = List.of("4", "5", "6");

  private static boolean is(Cell cell, PolicyType policy) {
    return cell.policy() == policy;
  }

  private static double step(Cell cell) {
    return cell.minCapacity() == 1e4 ? 0 : cell.minCapacity() == 5e5 ? 2 : 1;
  }

  /** Speeds as the paper has them. */
  private static double asClaimed(Cell cell) {
    double q = step(cell);
    double x = cell.value();
    double blind = is(cell, PolicyType.ROUND_ROBIN) ? 0.01 : 0;
    return switch (cell.figure().name()) {
      case "3-users" -> x < 10 ? 0.01 : is(cell, PolicyType.LEAST_USED) ? 0.6 : List.of(0.05, 0.32, 0.47).get((int) q);
      case "3-size" -> is(cell, PolicyType.LEAST_USED) ? 0.6 + x / 1_000 : 0.3 + q * x / 100 + x / 1_000;
      case "4" -> oneFast(cell, blind * (6 - x));
      case "5", "5-raised" -> threeFast(cell);
      case "6" -> least(cell, 0.4 + q / 10);
      case "7", "7-items" -> is(cell, PolicyType.LEAST_USED) ? 0.5 - x / 20 : 0.3;
      case "8-one-fast", "8-three-fast", "8-linear" -> delayed(cell);
      case "late" -> 0.5 - 0.1 * x;
      default -> 0.5;
    };
  }

  private static double least(Cell cell, double blind) {
    return is(cell, PolicyType.LEAST_USED) ? 0.7 : is(cell, PolicyType.ADAPTIVE) ? 0.71 : blind;
  }

  private static double oneFast(Cell cell, double lead) {
    double q = step(cell);
    double jump = (q == 1 && cell.value() > 3) || (q == 2 && cell.value() > 4) ? 0.05 : 0;
    return least(cell, 0.2 + q / 10 + jump + lead);
  }

  private static double threeFast(Cell cell) {
    double q = step(cell);
    return is(cell, PolicyType.LEAST_USED) && cell.value() == 5 ? 0.32 + 0.08 * q : least(cell, 0.36 + q / 10);
  }

  private static double delayed(Cell cell) {
    double sunk = 0.4 - cell.value() / 1_000;
    double q = step(cell);
    return is(cell, PolicyType.ADAPTIVE) ? 0.6
        : is(cell, PolicyType.LEAST_USED) ? sunk / 2 + q / 100 : sunk * (1 + q) / 4;
  }

  private static Measured measured(Cell cell, Estimate speed) {
    double blind = is(cell, PolicyType.RANDOM) ? 2 : is(cell, PolicyType.ROUND_ROBIN) ? 1 : 0;
    double order = 3 - HETEROGENEOUS.indexOf(cell.figure().name());
    double cached = cell.figure().name().startsWith("7") ? cell.value() : 0;
    double resolutions = 1 + blind * order * step(cell) * (1 - cached) / 4;
    double failed = is(cell, PolicyType.ADAPTIVE) ? 0.01 : 0.2;
    return new Measured(cell, 25, speed, exact(0.8), exact(resolutions), exact(0), exact(failed));
  }

  private static Estimate exact(double value) {
    return new Estimate(value, 0.001);
  }

  private static List<Verdict> verdicts(ToDoubleFunction<Cell> speed) {
    return verdicts(speed, 0.001);
  }

  private static List<Verdict> verdicts(ToDoubleFunction<Cell> speed, double halfWidth) {
    List<Measured> all = new ArrayList<>();
    for (Figure figure : Figure.ALL) {
      figure.cells(POLICIES)
          .forEach(cell -> all.add(measured(cell, new Estimate(speed.applyAsDouble(cell), halfWidth))));
    }
    return Claims.check(new Measurements(all, all.size()));
  }

  private static List<String> disagreeing(List<Verdict> verdicts) {
    return verdicts.stream().filter(v -> v.agreement() == Agreement.NO).map(Verdict::id).toList();
  }

  @Test
  void whatThePaperHasAgrees() {
    List<Verdict> verdicts = verdicts(ClaimsTest::asClaimed);
    assertThat(disagreeing(verdicts)).isEmpty();
    assertThat(verdicts).extracting(Verdict::agreement).containsOnly(Agreement.YES);
    assertThat(verdicts).extracting(Verdict::id).doesNotHaveDuplicates().hasSize(30);
  }

  /** All alike: what is claimed of a difference fails, what is claimed of likeness holds. */
  @Test
  void withoutDifferencesNearlyNothingAgrees() {
    assertThat(disagreeing(verdicts(cell -> 0.5)))
        .containsExactly(
            "M1a", "M1b", "M1c", "M2", "M3a", "M3b", "M4", "M5", "M6a", "M6b", "M7", "M7r", "M8", "M10d", "M11a",
            "M11b", "M11c",
            "A2", "A3");
  }

  /** The library's sort gives equal cells no order, so it failed in long lists. */
  @Test
  void cellsThatAreEqualAreNoProblem() {
    for (int seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      assertThat(verdicts(cell -> 0.3 + random.nextInt(3) / 10.0)).as("seed %d", seed).hasSize(30);
    }
  }

  @Test
  void eachCellCounts() {
    assertThat(
        disagreeing(
            verdicts(
                cell -> {
                  boolean one =
                      cell.figure().name().equals("6") && cell.value() == 3.5 && cell.minCapacity() == 333_333;
                  return one && is(cell, PolicyType.ADAPTIVE) ? 0.69 : asClaimed(cell);
                })))
        .containsExactly("A1");
    assertThat(
        disagreeing(
            verdicts(cell -> cell.figure().name().equals("late") && cell.value() == 1 ? 0.374 : asClaimed(cell))))
        .containsExactly("A4");
  }

  @Test
  void aDifferenceThatTheIntervalsCoverIsNone() {
    assertThat(disagreeing(verdicts(ClaimsTest::asClaimed, 0.02))).doesNotContain("M6a", "M6b");
    assertThat(disagreeing(verdicts(ClaimsTest::asClaimed, 0.03))).contains("M6a", "M6b");
  }

  @Test
  void whatWasNotMeasuredIsNotJudged() {
    assertThat(Claims.check(new Measurements(List.of(), 7))).extracting(Verdict::agreement)
        .containsOnly(Agreement.NOT_MEASURED);
  }
}
