package io.rns.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.RandomCases;
import io.rns.api.RnsPath;
import io.rns.replication.partition.Decision.Balanced;
import io.rns.replication.partition.Decision.Proposed;
import io.rns.replication.partition.Decision.Refused;
import io.rns.replication.partition.Decision.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Decisions in virtual time. */
class PartitionBalancerTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final BalancerSettings SETTINGS = BalancerSettings.DEFAULT;
  private static final int SUBTREES = 8;

  private static HeatWindow window(Instant end, PartitionMap map, Map<String, Double> reads) {
    TreeMap<RnsPath, Heat> heats = new TreeMap<>();
    reads.forEach((path, each) -> heats.put(RnsPath.parse(path), new Heat(each, 0)));
    return new HeatWindow(
        end, new Situation(map, new TreeSet<>(Set.of(0, 1)), new DirectoryHeat(heats), Map.of()), List.of());
  }

  private static final Map<String, Double> SKEWED = Map.of("/a", 600.0, "/b", 400.0);

  /** Windows with the same load, the last of which ends now. */
  private static List<HeatWindow> windows(int count, Instant now, Map<String, Double> reads) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> window(now.minus(WINDOW.multipliedBy(count - i)), PartitionMap.whole(0), reads)).toList();
  }

  private static Decision decide(List<HeatWindow> history, PastMove... past) {
    return PartitionBalancer.decide(history, List.of(past), SETTINGS, history.getLast().end());
  }

  private static void assertRefused(Decision decision, Rule rule, String reason) {
    assertThat(decision).isInstanceOfSatisfying(Refused.class, refused -> {
      assertThat(refused.rule()).as(refused.reason()).isEqualTo(rule);
      assertThat(refused.reason()).isEqualTo(reason);
      assertThat(refused.plan().moves()).isNotEmpty();
    });
  }

  @Test
  void anImbalanceThatLastsIsMendedAndTheReasonHasTheGain() {
    assertThat(decide(windows(3, START, SKEWED))).isInstanceOfSatisfying(Proposed.class, proposed -> {
      assertThat(proposed.moves()).extracting(Plan.Move::path).containsExactly(RnsPath.parse("/b"));
      assertThat(proposed.reason()).isEqualTo(
          "In 3 windows the busiest group had a load of 1000 on average; with 1 move it would have had 600.");
    });
  }

  @Test
  void aLoadThatIsBalancedOrSmallMovesNothing() {
    assertThat(decide(windows(3, START, Map.of("/a", 150.0)))).isInstanceOfSatisfying(
        Balanced.class, balanced -> assertThat(balanced.reason()).contains("has a load of 150; below 200"));
  }

  @Test
  void anImbalanceMustLastForSeveralWindowsWithoutAGap() {
    assertRefused(
        decide(windows(2, START, SKEWED)), Rule.WINDOWS,
        "An imbalance must last for 3 windows; 2 without a gap are known.");
    List<HeatWindow> gap = new ArrayList<>(windows(2, START.minus(Duration.ofMinutes(20)), SKEWED));
    gap.addAll(windows(1, START, SKEWED));
    assertRefused(decide(gap), Rule.WINDOWS, "An imbalance must last for 3 windows; 1 without a gap is known.");
  }

  @Test
  void aWindowInWhichServersWereSilentDecidesNothing() {
    List<HeatWindow> history = new ArrayList<>(windows(3, START, SKEWED));
    HeatWindow second = history.get(1);
    history.set(1, new HeatWindow(second.end(), second.situation(), List.of("http://h/rns: it is unreachable")));
    assertRefused(
        decide(history), Rule.MISSING,
        "The window until 09:55:00 is incomplete: http://h/rns: it is unreachable.");
  }

  @Test
  void anImbalanceThatIsNotInAllWindowsIsLeftAlone() {
    PartitionMap divided = PartitionMap.whole(0).with(RnsPath.parse("/c"), 1);
    List<HeatWindow> history =
        List.of(
            window(START, divided, Map.of("/c", 500.0, "/b", 100.0)),
            window(START.plus(WINDOW), divided, Map.of("/a", 1_000.0, "/b", 800.0)),
            window(START.plus(WINDOW.multipliedBy(2)), divided, Map.of("/a", 1_000.0, "/b", 800.0)));
    assertRefused(
        decide(history), Rule.PERSISTENCE,
        "The imbalance has not lasted for 3 windows: until 10:00:00 group 0 had a load of 100, 33 % of the mean; "
            + "allowed are 125 %.");
  }

  @Test
  void aPlanThatWouldHaveDoneHarmInOneOfTheWindowsIsRefused() {
    PartitionMap divided = PartitionMap.whole(0).with(RnsPath.parse("/c"), 1);
    List<HeatWindow> history = new ArrayList<>();
    for (Map<String, Double> reads : List.of(
        Map.of("/a", 900.0, "/b", 100.0, "/c", 10.0), Map.of("/a", 100.0, "/b", 900.0, "/c", 200.0),
        Map.of("/a", 900.0, "/b", 100.0, "/c", 10.0))) {
      history.add(window(START.plus(WINDOW.multipliedBy(history.size())), divided, reads));
    }
    assertRefused(
        decide(history), Rule.GAIN,
        "In the window until 10:05:00 the busiest group had a load of 1000; with the plan it would have had 1100.");
  }

  /** Otherwise a load that comes and goes would move a directory to and fro. */
  @Test
  void whatMovesAgainMustPayForAsLongAsItRests() {
    PartitionMap divided = PartitionMap.whole(0).with(RnsPath.parse("/a"), 1).with(RnsPath.parse("/d"), 1);
    List<HeatWindow> history = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      Map<String, Double> reads =
          i < 27
              ? Map.of("/a", 500.0, "/b", 500.0, "/c", 300.0, "/d", 300.0)
              : Map.of("/a", 400.0, "/d", 400.0, "/b", 100.0);
      history.add(window(START.plus(WINDOW.multipliedBy(i)), divided, reads));
    }
    assertThat(decide(history)).isInstanceOf(Proposed.class);
    PastMove moved = new PastMove(START.minusSeconds(1), RnsPath.parse("/a"), 0, 1, true);
    assertRefused(
        decide(history, moved), Rule.GAIN,
        "In 12 windows after /a moved from group 0 to group 1 the plan would have changed the load of the busiest group "
            + "from 800 to 1100 on average; 1 move must lower it by 71 (10 % of the mean each).");
  }

  /** It was assigned while it was empty, say: that it was not busy since then does not keep it there. */
  @Test
  void whatAnOperatorAssignedMovesAsSoonAsTheImbalanceHasLasted() {
    PartitionMap divided = PartitionMap.whole(0).with(RnsPath.parse("/a"), 1);
    List<HeatWindow> history = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      Map<String, Double> reads =
          i < 27
              ? Map.of("/a/x", 50.0, "/a/y", 50.0, "/b", 1_500.0)
              : Map.of("/a/x", 450.0, "/a/y", 450.0, "/b", 100.0);
      history.add(window(START.plus(WINDOW.multipliedBy(i)), divided, reads));
    }
    PastMove assigned = new PastMove(START.minusSeconds(1), RnsPath.parse("/a"), 0, 1, false);
    assertThat(decide(history, assigned)).isInstanceOfSatisfying(
        Proposed.class,
        proposed -> assertThat(proposed.moves()).extracting(Plan.Move::path).containsExactly(RnsPath.parse("/a/x")));
    PastMove moved = new PastMove(START.minusSeconds(1), RnsPath.parse("/a"), 0, 1, true);
    assertThat(decide(history, moved)).isInstanceOfSatisfying(
        Refused.class, refused -> assertThat(refused.rule()).isEqualTo(Rule.GAIN));
  }

  /** However long it has been quiet before. */
  @Test
  void whatHasRestedLongAgoMovesAgainIfThatPaysForAsLongAsItRests() {
    PartitionMap divided = PartitionMap.whole(0).with(RnsPath.parse("/a"), 1);
    List<HeatWindow> history = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Map<String, Double> reads =
          i < 54
              ? Map.of("/a/x", 50.0, "/a/y", 50.0, "/b", 500.0, "/c", 500.0)
              : Map.of("/a/x", 450.0, "/a/y", 450.0, "/b", 50.0, "/c", 50.0);
      history.add(window(START.plus(WINDOW.multipliedBy(i)), divided, reads));
    }
    PastMove moved = new PastMove(START.minusSeconds(1), RnsPath.parse("/a"), 0, 1, true);
    assertThat(decide(history.subList(0, 57), moved)).isInstanceOfSatisfying(
        Refused.class, refused -> assertThat(refused.rule()).isEqualTo(Rule.GAIN));
    assertThat(decide(history, moved)).isInstanceOf(Proposed.class);
  }

  @Test
  void onlySoManyMovesBeginInAnHour() {
    PastMove[] moves =
        IntStream.range(0, 4)
            .mapToObj(i -> new PastMove(START.minusSeconds(60L * i), RnsPath.parse("/m" + i), 0, 1, true))
            .toArray(PastMove[]::new);
    assertRefused(
        decide(windows(3, START, SKEWED), moves), Rule.BUDGET, "4 moves have begun in the last hour; the limit is 4.");
  }

  @Test
  void noMoveBeginsInTheQuietHours() {
    BalancerSettings quiet =
        new BalancerSettings(SETTINGS.plan(), WINDOW, 3, 4, QuietHours.parse("09:30-10:01"), SETTINGS.rest());
    assertRefused(
        PartitionBalancer.decide(windows(3, START, SKEWED), List.of(), quiet, START), Rule.QUIET_HOURS,
        "It is 10:00:00 UTC; no move begins in the quiet hours, 09:30-10:01.");
    Instant later = START.plusSeconds(60);
    assertThat(PartitionBalancer.decide(windows(3, later, SKEWED), List.of(), quiet, later))
        .isInstanceOf(Proposed.class);
  }

  @Test
  void whatHasMovedLatelyRestsWithEverythingThatMovedWithIt() {
    PastMove back = new PastMove(START.minusSeconds(600), RnsPath.parse("/b"), 1, 0, true);
    assertThat(decide(windows(3, START, Map.of("/b/c", 400.0, "/b/d", 600.0)), back)).isInstanceOfSatisfying(
        Balanced.class,
        balanced -> assertThat(balanced.reason())
            .contains(" /b/d: /b moved from group 1 to group 0 10 min ago, and rests for 60 min."));
    assertThat(decide(windows(3, START, SKEWED), back)).isInstanceOfSatisfying(
        Proposed.class,
        proposed -> assertThat(proposed.moves()).extracting(Plan.Move::path)
            .containsExactly(RnsPath.parse("/a")));
  }

  @Test
  void quietHoursMayHaveMidnightInThem() {
    QuietHours night = QuietHours.parse("22:00-06:00");
    assertThat(List.of("21:59:59", "06:00:00", "12:00:00"))
        .noneMatch(time -> night.contains(Instant.parse("2026-03-01T" + time + "Z")));
    assertThat(List.of("22:00:00", "00:00:00", "05:59:59"))
        .allMatch(time -> night.contains(Instant.parse("2026-03-01T" + time + "Z")));
    assertThat(night).hasToString("22:00-06:00");
    assertThat(QuietHours.parse("")).isEqualTo(QuietHours.NONE).hasToString("");
    assertThat(QuietHours.NONE.contains(START)).isFalse();
    for (String wrong : List.of("22-6", "24:00-06:00", "10:00-10:00", "10:00", "nights")) {
      assertThatThrownBy(() -> QuietHours.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'" + wrong + "'");
    }
  }

  @Test
  void windowsThatFollowOneAnotherAreJoinedAsTheirMean() {
    List<HeatWindow> parts = new ArrayList<>(windows(1, START, Map.of("/a", 600.0)));
    parts.addAll(windows(1, START.plus(WINDOW), SKEWED));
    HeatWindow joined = HeatWindow.joined(parts);
    assertThat(joined.end()).isEqualTo(START.plus(WINDOW));
    assertThat(joined.situation().heat().heats()).isEqualTo(
        Map.of(RnsPath.parse("/a"), new Heat(600, 0), RnsPath.parse("/b"), new Heat(200, 0)));
  }

  // ---- a hot spot that wanders

  /** Four of five requests go to one of eight subtrees, for two minutes; each subtree has some directories. */
  private static List<HeatWindow> wandering(RandomGenerator random, Duration window, int count, boolean inOrder) {
    int children = random.nextInt(2);
    List<Map<String, Double>> minutes = new ArrayList<>();
    int hot = 0;
    for (int minute = 0; minute < count * window.toMinutes(); minute++) {
      if (minute % 2 == 0) {
        hot = inOrder ? (hot + 1) % SUBTREES : random.nextInt(SUBTREES);
      }
      Map<String, Double> reads = new HashMap<>();
      for (int subtree = 0; subtree < SUBTREES; subtree++) {
        double load = (subtree == hot ? 4_000 : 1_000.0 / (SUBTREES - 1)) * random.nextDouble(0.9, 1.1);
        for (int child = 0; child <= children; child++) {
          reads.put("/s" + subtree + (child == 0 ? "" : "/d" + child), load / (children + 1));
        }
      }
      minutes.add(reads);
    }
    List<HeatWindow> windows = new ArrayList<>();
    int length = (int) window.toMinutes();
    for (int i = 0; i < count; i++) {
      Map<String, Double> mean = new HashMap<>();
      for (Map<String, Double> reads : minutes.subList(i * length, (i + 1) * length)) {
        reads.forEach((path, each) -> mean.merge(path, each / length, Double::sum));
      }
      windows.add(window(START.plus(window.multipliedBy(i)), PartitionMap.whole(0), mean));
    }
    return windows;
  }

  /** Three hours of each, with other settings. */
  @Test
  void aHotSpotThatWandersIsDividedOnceAndNeverMovedToAndFro() {
    RandomCases.check(random -> {
      Duration window = Duration.ofMinutes(1 + random.nextInt(6));
      BalancerSettings settings =
          new BalancerSettings(
              PlanSettings.DEFAULT.withMoves(2), window, 2 + random.nextInt(4), 1 + random.nextInt(12),
              random.nextBoolean() ? QuietHours.NONE : QuietHours.parse("11:00-11:30"),
              Duration.ofMinutes(random.nextInt(1, 120)));
      int count = (int) Duration.ofHours(3).dividedBy(window);
      DecisionReplay replay = new DecisionReplay(PartitionMap.whole(0), settings);
      List<DecisionReplay.Step> steps =
          wandering(random, window, count, random.nextBoolean()).stream().map(replay::decide).toList();
      Map<RnsPath, Integer> moves = assertRules(steps, settings);
      assertThat(moves.values()).as("%s", moves).allMatch(times -> times <= 2);
      assertThat(busiest(steps, DecisionReplay.Step::replayed)).as("the load of the busiest group")
          .isLessThan(0.95 * busiest(steps, DecisionReplay.Step::recorded));
    });
  }

  private static double busiest(
      List<DecisionReplay.Step> steps, Function<DecisionReplay.Step, SortedMap<Integer, Double>> loads) {
    return steps.stream().mapToDouble(step -> HeatWindow.busiest(loads.apply(step))).average().orElseThrow();
  }

  /** What every balancer keeps to; returns how often each directory moved. */
  private static Map<RnsPath, Integer> assertRules(List<DecisionReplay.Step> steps, BalancerSettings settings) {
    List<PastMove> moves = new ArrayList<>();
    Map<RnsPath, Integer> times = new HashMap<>();
    for (DecisionReplay.Step step : steps) {
      Instant at = step.window().end();
      for (Plan.Move move : step.moves()) {
        assertThat(settings.quiet().contains(at)).as("%s at %s", settings.quiet(), at).isFalse();
        assertThat(moves).as("%s rests", move.path())
            .filteredOn(past -> past.at().plus(settings.rest()).isAfter(at))
            .noneMatch(past -> past.path().equals(move.path()));
        moves.add(new PastMove(at, move.path(), move.from(), move.to(), true));
        times.merge(move.path(), 1, Integer::sum);
      }
      assertThat(moves).filteredOn(past -> past.at().plus(Duration.ofHours(1)).isAfter(at))
          .hasSizeLessThanOrEqualTo(settings.movesPerHour());
    }
    return times;
  }
}
