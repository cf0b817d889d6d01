package io.rns.server.partition;

import io.rns.api.RnsPath;
import io.rns.replication.partition.DirectoryHeat;
import io.rns.replication.partition.HeatWindow;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.Situation;
import io.rns.server.partition.HeatJson.DirectoryJson;
import io.rns.server.partition.PartitionsJson.PartitionJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A {@link HeatWindow} as JSON.
 *
 * @param directories the hottest, each with the colder ones below it that are not in the list
 */
record WindowJson(
    List<PartitionJson> partitions, List<Integer> groups, List<DirectoryJson> directories, List<FixedJson> fixed,
    List<String> missing) {
  /** About how many directories are kept of each window. */
  private static final int MOST = 300;

  /** A saved window may come from anywhere. */
  WindowJson {
    partitions = known(partitions, "partitions");
    groups = known(groups, "groups");
    directories = known(directories, "directories");
    fixed = known(fixed, "fixed");
    missing = known(missing, "missing");
  }

  private static <T> List<T> known(@Nullable List<T> list, String name) {
    if (list == null || list.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("a window lacks '" + name + "', or something in it is null");
    }
    return List.copyOf(list);
  }

  /** A directory that no assignment can move. */
  record FixedJson(RnsPath path, String reason) {}

  /** What is kept of a window. */
  static HeatWindow kept(HeatWindow window) {
    Situation all = window.situation();
    DirectoryHeat heat = all.heat().folded(MOST, all.map());
    Map<RnsPath, String> fixed = new TreeMap<>(all.fixed());
    fixed.keySet().removeIf(path -> heat.heats().keySet().stream().noneMatch(path::contains));
    return new HeatWindow(window.end(), new Situation(all.map(), all.groups(), heat, fixed), window.missing());
  }

  static WindowJson of(HeatWindow window) {
    Situation situation = window.situation();
    PartitionMap map = situation.map();
    return new WindowJson(
        map.partitions().stream().map(PartitionJson::of).toList(), List.copyOf(situation.groups()),
        HeatJson.directories(situation.heat(), map),
        situation.fixed().entrySet().stream().map(each -> new FixedJson(each.getKey(), each.getValue())).toList(),
        window.missing());
  }

  HeatWindow window(Instant end) {
    Map<RnsPath, String> reasons = new TreeMap<>();
    fixed.forEach(each -> reasons.put(each.path(), each.reason()));
    PartitionMap map = new PartitionMap(partitions.stream().map(PartitionJson::partition).toList());
    return new HeatWindow(
        end, new Situation(map, new TreeSet<>(groups), HeatJson.heat(directories), reasons), missing);
  }
}
