package io.rns.replication.partition;

import io.rns.api.RnsPath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was measured in one window.
 *
 * @param end of the window
 * @param situation the mean heat, and what else was known at the end; {@code fixed} are directories that no assignment
 *        can move
 * @param missing whose requests are not in it, and why, for people; empty if all are
 */
public record HeatWindow(Instant end, Situation situation, List<String> missing) {
  /** Copies the list. */
  public HeatWindow {
    missing = List.copyOf(missing);
  }

  /** Windows that follow one another as one: the mean heat, and the partitions and groups of the last. */
  public static HeatWindow joined(List<HeatWindow> windows) {
    HeatWindow last = windows.getLast();
    TreeMap<RnsPath, Heat> sum = new TreeMap<>();
    Map<RnsPath, String> fixed = new HashMap<>();
    List<String> missing = new ArrayList<>();
    double part = 1.0 / windows.size();
    for (HeatWindow window : windows) {
      window.situation().heat().heats()
          .forEach((path, heat) -> sum.merge(path, new Heat(heat.reads() * part, heat.writes() * part), Heat::plus));
      fixed.putAll(window.situation().fixed());
      missing.addAll(window.missing());
    }
    Situation found = last.situation();
    return new HeatWindow(
        last.end(), new Situation(found.map(), found.groups(), new DirectoryHeat(sum), fixed), missing);
  }

  /** The loads of the groups, if the partitions belonged to these. */
  SortedMap<Integer, Double> loads(PartitionMap map, double writeCost) {
    SortedMap<Integer, Double> loads = new TreeMap<>();
    situation.groups().forEach(group -> loads.put(group, 0.0));
    for (Map.Entry<RnsPath, Heat> each : situation.heat().heats().entrySet()) {
      loads.merge(map.ofContent(each.getKey()).group(), each.getValue().load(writeCost), Double::sum);
    }
    return loads;
  }

  /** The load of the busiest group. */
  public static double busiest(SortedMap<Integer, Double> loads) {
    return loads.values().stream().mapToDouble(load -> load).max().orElse(0);
  }

  /** The mean load of a group. */
  public static double mean(SortedMap<Integer, Double> loads) {
    return loads.values().stream().mapToDouble(load -> load).average().orElse(0);
  }

  /** The heat of a directory with everything below it. */
  public Heat below(RnsPath directory) {
    return situation.heat().heats().entrySet().stream()
        .filter(each -> directory.contains(each.getKey()))
        .map(Map.Entry::getValue)
        .reduce(Heat.NONE, Heat::plus);
  }
}
