package io.rns.replication.partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Looks for the best moves: all sets of a size are tried, as far as {@value #STEPS} steps go. Belongs to one thread.
 */
final class MoveSearch {
  /** Less than a second. */
  private static final int STEPS = 500_000;

  private final List<MovableDirectory> directories;
  private final PlanSettings settings;
  private final double limit;
  private final double price;
  private final double busiest;
  private final List<Integer> groups;
  private final double[] loads;
  private final Map<Integer, Integer> places;
  private final List<Step> chosen = new ArrayList<>();
  private boolean balances;
  private int steps;
  private int sufficient;
  private Optional<Result> best = Optional.empty();

  /** One move. */
  record Step(MovableDirectory directory, int to) {}

  /**
   * A set of moves.
   *
   * @param loads of the groups after it
   * @param moved the load that moves
   * @param sufficient how many sets of this size balance the loads; 0 if none does
   */
  record Result(List<Step> steps, SortedMap<Integer, Double> loads, double moved, int sufficient) {
    double busiest() {
      return loads.values().stream().mapToDouble(load -> load).max().orElse(0);
    }
  }

  /**
   * A search.
   *
   * @param directories the hottest first
   * @param loads of the groups
   * @param limit the most that a group may have
   * @param price by how much a move has to lower the load of the busiest group
   * @param places for more cuts, of each group
   */
  MoveSearch(
      List<MovableDirectory> directories, PlanSettings settings, SortedMap<Integer, Double> loads, double limit,
      double price, Map<Integer, Integer> places) {
    this.directories = directories;
    this.settings = settings;
    this.groups = List.copyOf(loads.keySet());
    this.loads = loads.values().stream().mapToDouble(load -> load).toArray();
    this.limit = limit;
    this.price = price;
    this.busiest = busiest();
    this.places = new HashMap<>(places);
  }

  /**
   * The smallest set that leaves no group above the limit, and of these the one with the lowest load of the busiest
   * group; without one, the set that lowers that load most, less the price of its moves; empty if none is worth it.
   */
  Optional<Result> find() {
    for (boolean all : new boolean[]{true, false}) {
      balances = all;
      steps = 0;
      for (int size = 1; size <= settings.moves(); size++) {
        sufficient = 0;
        choose(0, size);
        if (all && best.isPresent()) {
          Result found = best.get();
          return Optional.of(new Result(found.steps(), found.loads(), found.moved(), sufficient));
        }
      }
    }
    return best;
  }

  private double busiest() {
    double most = 0;
    for (double load : loads) {
      most = Math.max(most, load);
    }
    return most;
  }

  private double excess() {
    double excess = 0;
    for (double load : loads) {
      excess += Math.max(0, load - limit);
    }
    return excess;
  }

  private void choose(int from, int left) {
    if (left == 0) {
      judge();
      return;
    }
    double excess = balances ? excess() : 0;
    for (int i = from; i < directories.size() && steps < STEPS; i++) {
      MovableDirectory directory = directories.get(i);
      if (excess > left * directory.load() * (1 + Planner.ROUNDING)) {
        // This and all that follow are too little.
        return;
      }
      if (mayMove(directory)) {
        for (int to : directory.targets()) {
          steps++;
          move(directory, to, i, left);
        }
      }
    }
  }

  private boolean mayMove(MovableDirectory directory) {
    for (Step step : chosen) {
      if (step.directory().overlaps(directory)) {
        return false;
      }
    }
    return !directory.isNewCut() || places.getOrDefault(directory.group(), 0) > 0;
  }

  private void move(MovableDirectory directory, int to, int index, int left) {
    int source = groups.indexOf(directory.group());
    int target = groups.indexOf(to);
    double before = loads[source];
    double there = loads[target];
    if (there + directory.load() >= (balances ? Math.nextUp(limit) : busiest)) {
      return;
    }
    int cut = directory.isNewCut() ? 1 : 0;
    places.merge(directory.group(), -cut, Integer::sum);
    loads[source] -= directory.load();
    loads[target] += directory.load();
    chosen.add(new Step(directory, to));
    choose(index + 1, left - 1);
    chosen.removeLast();
    loads[source] = before;
    loads[target] = there;
    places.merge(directory.group(), cut, Integer::sum);
  }

  private void judge() {
    double most = busiest();
    if (busiest - most < chosen.size() * price || (balances && most > limit)) {
      return;
    }
    sufficient++;
    double moved = chosen.stream().mapToDouble(step -> step.directory().load()).sum();
    if (best.isEmpty() || isBetter(most, moved, best.get())) {
      SortedMap<Integer, Double> after = new TreeMap<>();
      for (int i = 0; i < loads.length; i++) {
        after.put(groups.get(i), loads[i]);
      }
      best = Optional.of(new Result(List.copyOf(chosen), after, moved, 0));
    }
  }

  private boolean isBetter(double most, double moved, Result than) {
    double cost = most + price * chosen.size();
    double other = than.busiest() + price * than.steps().size();
    return cost < other || (cost == other && moved < than.moved());
  }
}
