package io.rns.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.rns.api.EntryId;
import io.rns.api.RandomCases;
import io.rns.api.RnsPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Plans of small trees, compared with all others that are possible. */
class PlannerTest {
  private static final PlanSettings SETTINGS = new PlanSettings(5, 100, 0.25, 0.1, 3, 1_000);

  private static RnsPath path(String text) {
    return RnsPath.parse(text);
  }

  private static Partition partition(String path, int group) {
    return new Partition(path(path), path.equals("/") ? EntryId.ROOT : new EntryId(1_000 + (path.hashCode() & 0xffff)),
        group, 1);
  }

  private static Situation situation(Map<String, Heat> heats, Map<String, Integer> owners, int groups) {
    List<Partition> partitions = new ArrayList<>();
    owners.forEach((path, group) -> partitions.add(partition(path, group)));
    TreeMap<RnsPath, Heat> all = new TreeMap<>();
    heats.forEach((path, heat) -> all.put(path(path), heat));
    return new Situation(
        new PartitionMap(partitions), new TreeSet<>(IntStream.range(0, groups).boxed().toList()),
        new DirectoryHeat(all), Map.of());
  }

  private static Heat reads(double reads) {
    return new Heat(reads, 0);
  }

  private static Situation with(Situation of, Map<RnsPath, String> fixed) {
    return new Situation(of.map(), of.groups(), of.heat(), fixed);
  }

  private static final Situation SKEWED =
      situation(
          Map.of("/hot/a", new Heat(300, 20), "/hot/b", reads(200), "/cold", reads(150), "/warm", reads(250)),
          Map.of("/", 0), 2);

  @Test
  void theHotSubtreeMovesAndThePlanSaysWhy() {
    Plan plan = Planner.plan(SKEWED, SETTINGS);
    assertThat(plan.moves()).hasSize(1);
    Plan.Move move = plan.moves().getFirst();
    assertThat(move.path()).isEqualTo(path("/hot/a"));
    assertThat(move.from()).isZero();
    assertThat(move.to()).isEqualTo(1);
    assertThat(move.load()).isEqualTo(400);
    assertThat(move.reasons()).containsExactly(
        "Group 0 has a load of 1000, 200 % of the mean; allowed are 125 %.",
        "/hot/a makes 40 % of it: 300 reads/s and 20 writes/s.",
        "The move changes group 0 from 1000 to 600 and group 1 from 0 to 400.",
        "1 other move would suffice. This gives the lowest load of the busiest group; among equals, it moves least.");
    assertThat(plan.verdict())
        .isEqualTo("After this no group has more than 125 % of the mean, so nothing else has to move.");
    assertThat(plan.groups()).map(Plan.GroupLoad::after).containsExactly(600.0, 400.0);
  }

  @Test
  void whatIsSmallBalancedAloneOrFixedStaysWhereItIs() {
    assertThat(verdict(SKEWED, SETTINGS.with(5, 1_001, 3)))
        .contains("The busiest group, 0, has a load of 1000; below 1001");
    assertThat(verdict(SKEWED, SETTINGS.with(0, 1_000, 3))).as("writes for nothing").contains("load of 900");
    Situation alone = new Situation(SKEWED.map(), new TreeSet<>(Set.of(0)), SKEWED.heat(), Map.of());
    assertThat(verdict(alone, SETTINGS)).contains("at least two server groups");
    Situation balanced = situation(Map.of("/a", reads(500), "/b", reads(400)), Map.of("/", 0, "/b", 1), 2);
    assertThat(verdict(balanced, SETTINGS)).contains("balanced");
    Situation root = situation(Map.of("/", reads(900)), Map.of("/", 0), 2);
    assertThat(verdict(root, SETTINGS)).contains("no directory of it can move");
    Situation one = situation(Map.of("/a", reads(900), "/b", reads(20)), Map.of("/", 0), 2);
    assertThat(verdict(one, SETTINGS)).as("it would only change places")
        .contains("its hottest directory, /a, has a load of 900");
    Map<RnsPath, String> fixed = new HashMap<>();
    List.of("/hot", "/hot/a", "/warm", "/cold", "/hot/b").forEach(each -> fixed.put(path(each), "it came lately"));
    assertThat(verdict(with(SKEWED, fixed), SETTINGS)).contains("Cannot move: /hot: it came lately.");
  }

  private static String verdict(Situation situation, PlanSettings settings) {
    Plan plan = Planner.plan(situation, settings);
    assertThat(plan.moves()).isEmpty();
    return plan.verdict();
  }

  @Test
  void aDirectoryMovesWithWhatIsBelowItUpToTheNextCut() {
    Map<String, Heat> heats =
        Map.of("/a", reads(100), "/a/b", reads(300), "/a/c", reads(200), "/d", reads(390));
    Map<String, Integer> owners = Map.of("/", 0, "/a/b", 1);
    assertThat(Planner.plan(situation(heats, owners, 3), SETTINGS).moves())
        .extracting(Plan.Move::path, Plan.Move::to, Plan.Move::load).containsExactly(tuple(path("/a"), 2, 300.0));
    assertThat(Planner.plan(situation(heats, owners, 2), SETTINGS).moves())
        .extracting(Plan.Move::path, Plan.Move::to, Plan.Move::load)
        .as("not to the group that owns a part of it").containsExactly(tuple(path("/a/c"), 1, 200.0));
  }

  @Test
  void cutsAreLimited() {
    PlanSettings one = new PlanSettings(5, 100, 0.25, 0.1, 3, 1);
    Situation many =
        situation(
            Map.of("/a", reads(400), "/b", reads(400), "/c", reads(400), "/d", reads(400)), Map.of("/", 0), 2);
    assertThat(Planner.plan(many, SETTINGS).moves()).hasSize(2);
    assertThat(Planner.plan(many, one).moves()).hasSize(1);
  }

  // ---- random trees

  private static Situation random(RandomGenerator random) {
    int groups = 2 + random.nextInt(3);
    Map<String, Heat> heats = new TreeMap<>();
    Map<String, Integer> owners = new TreeMap<>(Map.of("/", 0));
    List<String> made = new ArrayList<>(List.of(""));
    for (int i = 0; i < 7; i++) {
      String path = made.get(random.nextInt(made.size())) + "/" + (char) ('a' + i);
      made.add(path);
      if (random.nextInt(4) > 0) {
        heats.put(path,
            new Heat(random.nextInt(1 << random.nextInt(1, 12)), random.nextInt(3) == 0 ? random.nextInt(100) : 0));
      }
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      String path = made.get(1 + random.nextInt(made.size() - 1));
      owners.put(path, random.nextInt(groups));
    }
    heats.put("/", reads(random.nextInt(50)));
    Situation first = situation(heats, owners, groups);
    // A cut is between two groups.
    for (Partition partition : first.map().partitions()) {
      int above = partition.path().isRoot() ? -1 : owner(owners, partition.path().parent());
      if (above == partition.group()) {
        owners.remove(partition.path().toString());
      }
    }
    return situation(heats, owners, groups);
  }

  private static int owner(Map<String, Integer> owners, RnsPath path) {
    for (int depth = path.depth(); depth > 0; depth--) {
      Integer owner = owners.get(path.prefix(depth).toString());
      if (owner != null) {
        return owner;
      }
    }
    return 0;
  }

  private record Option(RnsPath path, int to) {}

  /** Every move that could be made, of groups that have too much to others. */
  private static List<Option> options(Situation situation) {
    double limit = limit(situation);
    Set<RnsPath> paths = new TreeSet<>();
    situation.heat().heats().keySet().forEach(
        path -> IntStream.rangeClosed(1, path.depth()).forEach(depth -> paths.add(path.prefix(depth))));
    List<Option> options = new ArrayList<>();
    for (RnsPath path : paths) {
      int from = situation.map().ofContent(path).group();
      for (int to : situation.groups()) {
        boolean inside =
            situation.map().partitions().stream().anyMatch(
                cut -> cut.group() == to && path.contains(cut.path()) && !path.equals(cut.path()));
        if (to != from && !inside && loads(situation).get(from) > limit + 1e-6
            && loads(situation).get(to) <= limit + 1e-6) {
          options.add(new Option(path, to));
        }
      }
    }
    return options;
  }

  private static Map<Integer, Double> loads(Situation situation) {
    Map<Integer, Double> loads = new TreeMap<>();
    situation.groups().forEach(group -> loads.put(group, 0.0));
    situation.heat().heats().forEach(
        (path, heat) -> loads.merge(situation.map().ofContent(path).group(), heat.load(5), Double::sum));
    return loads;
  }

  private static double busiest(Situation situation) {
    return loads(situation).values().stream().mapToDouble(load -> load).max().orElseThrow();
  }

  private static double mean(Situation situation) {
    return loads(situation).values().stream().mapToDouble(load -> load).average().orElseThrow();
  }

  private static double limit(Situation situation) {
    return mean(situation) * 1.25;
  }

  private static Situation after(Situation situation, List<Option> moves) {
    Map<RnsPath, Partition> partitions = new TreeMap<>();
    situation.map().partitions().forEach(partition -> partitions.put(partition.path(), partition));
    for (Option move : moves) {
      Partition cut = new Partition(move.path(), partition(move.path().toString(), 0).root(), move.to(), 2);
      partitions.put(move.path(), cut);
      PartitionMap map = new PartitionMap(List.copyOf(partitions.values()));
      if (map.ofEntry(move.path()).group() == move.to()) {
        partitions.remove(move.path());
      }
    }
    return new Situation(
        new PartitionMap(List.copyOf(partitions.values())), situation.groups(), situation.heat(), Map.of());
  }

  /** Whether some set of so many moves leaves no group too much, and is worth it. */
  private static boolean isSolvable(Situation situation, List<Option> options, int from, List<Option> chosen,
      int size) {
    if (size == 0) {
      double busiest = busiest(after(situation, chosen));
      return busiest <= limit(situation) - 1e-6
          && busiest(situation) - busiest >= chosen.size() * 0.1 * mean(situation) + 1e-6;
    }
    for (int i = from; i < options.size(); i++) {
      Option option = options.get(i);
      if (chosen.stream().noneMatch(
          other -> other.path().contains(option.path()) || option.path().contains(other.path()))) {
        List<Option> more = new ArrayList<>(chosen);
        more.add(option);
        if (isSolvable(situation, options, i + 1, more, size - 1)) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void aPlanIsTheSmallestThatBalancesAndNothingFollowsIt() {
    int[] sizes = new int[4];
    RandomCases.check(random -> {
      Situation situation = random(random);
      Plan plan = Planner.plan(situation, SETTINGS);
      assertThat(Planner.plan(situation, SETTINGS)).isEqualTo(plan);
      List<Option> moves = plan.moves().stream().map(move -> new Option(move.path(), move.to())).toList();
      assertThat(options(situation)).containsAll(moves);
      Situation after = after(situation, moves);
      plan.groups().forEach(group -> {
        assertThat(group.load()).isCloseTo(loads(situation).get(group.group()), within(1e-6));
        assertThat(group.after()).isCloseTo(loads(after).get(group.group()), within(1e-6));
      });
      double gain = busiest(situation) - busiest(after);
      assertThat(gain).isGreaterThanOrEqualTo(0.1 * mean(situation) * moves.size() - 1e-6);
      if (busiest(situation) < 100 || busiest(situation) <= limit(situation)) {
        assertThat(moves).isEmpty();
        return;
      }
      boolean balances = busiest(after) <= limit(after) + 1e-6;
      for (int size = 1; size < (balances ? moves.size() : 4); size++) {
        assertThat(isSolvable(situation, options(situation), 0, List.of(), size)).as(size + " instead of " + plan)
            .isFalse();
      }
      if (balances) {
        assertThat(Planner.plan(after, SETTINGS).moves()).isEmpty();
      }
      sizes[moves.size()]++;
    });
    assertThat(Arrays.stream(sizes).boxed().toList()).as("plans by size").allMatch(count -> count > 0);
  }

  @Test
  void aThousandDirectoriesInManyGroupsArePlannedInBoundedTime() {
    Map<String, Heat> heats = new TreeMap<>();
    for (int i = 0; i < 1_000; i++) {
      heats.put("/d" + i % 40 + "/e" + i, new Heat(i * 37 % 101, i % 7));
    }
    Situation large = situation(heats, Map.of("/", 0), 12);
    Plan plan = Planner.plan(large, SETTINGS.with(5, 100, PlanSettings.MOST_MOVES));
    assertThat(plan.moves()).isNotEmpty().hasSizeLessThanOrEqualTo(PlanSettings.MOST_MOVES);
    assertThat(Planner.plan(large, SETTINGS.with(5, 100, PlanSettings.MOST_MOVES))).isEqualTo(plan);
  }

  // ---- heat

  @Test
  void heatIsFoldedWithoutLossAndNotOverCuts() {
    RandomCases.check(random -> {
      TreeMap<RnsPath, Heat> heats = new TreeMap<>();
      for (int i = 0; i < 200; i++) {
        String path = "/" + random.nextInt(3) + "/" + random.nextInt(5) + "/" + random.nextInt(50);
        heats.put(path(path), new Heat(random.nextInt(100), random.nextInt(3)));
      }
      PartitionMap map = new PartitionMap(List.of(partition("/", 0), partition("/1/1", 1)));
      DirectoryHeat folded = new DirectoryHeat(heats).folded(20, map);
      assertThat(folded.heats()).hasSizeLessThanOrEqualTo(22);
      Situation before = new Situation(map, new TreeSet<>(Set.of(0, 1)), new DirectoryHeat(heats), Map.of());
      Situation after = new Situation(map, new TreeSet<>(Set.of(0, 1)), folded, Map.of());
      for (int group = 0; group < 2; group++) {
        assertThat(after.of(group).load(5)).isCloseTo(before.of(group).load(5), within(1e-6));
      }
    });
  }
}
