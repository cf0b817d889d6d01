package io.rns.replication.partition;

import io.rns.api.RnsPath;
import io.rns.replication.partition.Plan.GroupLoad;
import io.rns.replication.partition.Plan.Move;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Proposes moves of directories that balance the loads of the server groups. Reads neither clock nor network: the same
 * situation has the same plan.
 */
public final class Planner {
  /** Of sums in another order. */
  static final double ROUNDING = 1e-9;

  /** Directories that may move; the colder ones change little. */
  private static final int MOST_DIRECTORIES = 64;

  /** Reasons why directories cannot move. */
  private static final int SHOWN = 3;

  private final Situation situation;
  private final PlanSettings settings;
  private final Map<Integer, Heat> heats = new TreeMap<>();
  private final SortedMap<Integer, Double> loads = new TreeMap<>();
  private final double mean;
  private final double limit;
  private final int busiest;

  private Planner(Situation situation, PlanSettings settings) {
    this.situation = situation;
    this.settings = settings;
    situation.groups().forEach(group -> heats.put(group, situation.of(group)));
    heats.forEach((group, heat) -> loads.put(group, heat.load(settings.writeCost())));
    this.mean = loads.values().stream().mapToDouble(load -> load).average().orElse(0);
    this.limit = mean * (1 + settings.tolerance());
    this.busiest =
        loads.entrySet().stream().max(Map.Entry.<Integer, Double>comparingByValue().thenComparing(
            Map.Entry.comparingByKey(Comparator.reverseOrder()))).map(Map.Entry::getKey).orElse(0);
  }

  /** The moves that are worth it. */
  public static Plan plan(Situation situation, PlanSettings settings) {
    return new Planner(situation, settings).plan();
  }

  /**
   * The directories that may come into question, the hottest first: for some of them it may be known elsewhere that
   * they cannot move.
   */
  public static List<RnsPath> candidates(Situation situation, PlanSettings settings) {
    Planner planner = new Planner(situation, settings);
    return MovableDirectory.subtrees(situation, planner::isOver).entrySet().stream()
        .sorted(
            Comparator.comparingDouble(
                (Map.Entry<RnsPath, Heat> each) -> -each.getValue().load(settings.writeCost())))
        .map(Map.Entry::getKey)
        .toList();
  }

  private Plan plan() {
    double most = load(busiest);
    if (loads.size() < 2) {
      return nothing("Moves need at least two server groups that answer.");
    }
    if (most < settings.minimumLoad()) {
      return nothing(
          "The busiest group, " + busiest + ", has a load of " + number(most) + "; below "
              + number(settings.minimumLoad()) + " none is relieved.");
    }
    if (!isOver(busiest)) {
      return nothing(
          "The loads are balanced: no group has more than " + share(1 + settings.tolerance()) + " of the mean.");
    }
    List<MovableDirectory> directories =
        MovableDirectory.of(situation, settings.writeCost(), this::isOver, group -> !isOver(group));
    if (directories.isEmpty()) {
      return nothing("Group " + busiest + " is too busy, but no directory of it can move." + fixed());
    }
    List<MovableDirectory> hottest = directories.subList(0, Math.min(directories.size(), MOST_DIRECTORIES));
    Optional<MoveSearch.Result> found =
        new MoveSearch(hottest, settings, loads, limit, settings.minimumGain() * mean, places()).find();
    return found.map(this::plan).orElseGet(
        () -> nothing(
            "Group " + busiest + " is too busy, but no plan of up to " + moves(settings.moves())
                + " lowers the load of the "
                + "busiest group by " + share(settings.minimumGain())
                + " of the mean with each move; its hottest directory, "
                + hottest.getFirst().path() + ", has a load of " + number(hottest.getFirst().load()) + "." + fixed()));
  }

  private double load(int group) {
    return loads.getOrDefault(group, 0.0);
  }

  private boolean isOver(int group) {
    return load(group) > limit * (1 + ROUNDING);
  }

  /** How many more cuts each group may have. */
  private Map<Integer, Integer> places() {
    Map<Integer, Integer> places = new HashMap<>();
    loads.keySet().forEach(group -> places.put(group, settings.cuts()));
    situation.map().partitions().stream()
        .filter(partition -> !partition.path().isRoot())
        .forEach(partition -> places.merge(situation.map().ofEntry(partition.path()).group(), -1, Integer::sum));
    return places;
  }

  // ---- the plan in words

  private Plan nothing(String verdict) {
    return new Plan(groups(loads), limit, List.of(), verdict);
  }

  private List<GroupLoad> groups(Map<Integer, Double> after) {
    List<GroupLoad> groups = new ArrayList<>();
    heats.forEach(
        (group, heat) -> groups.add(new GroupLoad(group, heat, load(group), after.getOrDefault(group, 0.0))));
    return groups;
  }

  private Plan plan(MoveSearch.Result result) {
    TreeMap<Integer, Double> now = new TreeMap<>(loads);
    List<Move> moves = new ArrayList<>();
    for (MoveSearch.Step step : result.steps()) {
      MovableDirectory directory = step.directory();
      int from = directory.group();
      double before = now.getOrDefault(from, 0.0);
      double there = now.getOrDefault(step.to(), 0.0);
      now.put(from, before - directory.load());
      now.put(step.to(), there + directory.load());
      List<String> reasons = List.of(
          "Group " + from + " has a load of " + number(load(from)) + ", " + share(load(from) / mean)
              + " of the mean; allowed are " + share(1 + settings.tolerance()) + ".",
          directory.path() + " makes " + share(directory.load() / load(from)) + " of it: "
              + number(directory.heat().reads()) + " reads/s and " + number(directory.heat().writes()) + " writes/s.",
          "The move changes group " + from + " from " + number(before) + " to " + number(before - directory.load())
              + " and group " + step.to() + " from " + number(there) + " to " + number(there + directory.load()) + ".",
          choice(result));
      moves.add(new Move(directory.path(), from, step.to(), directory.heat(), directory.load(), reasons));
    }
    return new Plan(groups(result.loads()), limit, moves, verdict(result));
  }

  private String choice(MoveSearch.Result result) {
    int size = result.steps().size();
    if (result.sufficient() == 0) {
      return "No plan of up to " + moves(settings.moves()) + " balances the loads; this is the best known.";
    }
    String fewer = size == 1 ? "" : "No plan of up to " + moves(size - 1) + " would suffice. ";
    int others = result.sufficient() - 1;
    if (others == 0) {
      return fewer + "Nothing else of this size would suffice.";
    }
    return fewer + others + " other " + (size == 1 ? "move" : "plan") + (others == 1 ? "" : "s")
        + " would suffice. This gives the lowest load of the busiest group; among equals, it moves least.";
  }

  private String verdict(MoveSearch.Result result) {
    return result.sufficient() > 0
        ? "After this no group has more than " + share(1 + settings.tolerance())
            + " of the mean, so nothing else has to move."
        : "This lowers the load of the busiest group from " + number(load(busiest)) + " to "
            + number(result.busiest()) + ", " + share(result.busiest() / mean) + " of the mean; more moves would gain "
            + "less than " + share(settings.minimumGain()) + " of the mean each, or exceed the limit of "
            + moves(settings.moves()) + "." + fixed();
  }

  /** The hottest directories that cannot move. */
  private String fixed() {
    Situation free =
        new Situation(situation.map(), situation.groups(), situation.heat(), Map.of());
    String reasons =
        MovableDirectory.of(free, settings.writeCost(), this::isOver, group -> !isOver(group)).stream()
            .filter(directory -> situation.fixed().containsKey(directory.path()))
            .limit(SHOWN)
            .map(directory -> " " + directory.path() + ": " + situation.fixed().get(directory.path()) + ".")
            .collect(Collectors.joining());
    return reasons.isEmpty() ? "" : " Cannot move:" + reasons;
  }

  static String moves(int count) {
    return count == 1 ? "1 move" : count + " moves";
  }

  static String number(double load) {
    return String.format(Locale.ROOT, load > 0 && load < 10 ? "%.1f" : "%.0f", load);
  }

  static String share(double part) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * part);
  }
}
