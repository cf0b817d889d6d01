package io.rns.server.partition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import io.rns.replication.partition.DirectoryHeat;
import io.rns.replication.partition.Heat;
import io.rns.replication.partition.PartitionMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The hottest directories of a server, each with the colder ones below it that are not in the list.
 *
 * @param seconds for how long the server has counted
 * @param directories in the order of paths
 * @param sizes of the partitions of its group, if it was asked for them
 */
record HeatJson(
    double seconds, List<DirectoryJson> directories, @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SizeJson> sizes) {
  /** About how many are in the list. */
  private static final int MOST = 1_000;

  /** Former versions report no sizes. */
  HeatJson {
    sizes = sizes == null ? List.of() : List.copyOf(sizes);
  }

  /** How many entries a partition has. */
  record SizeJson(EntryId directory, long entries) {}

  /**
   * A directory.
   *
   * @param group that owns its content now
   * @param reads per second
   * @param writes per second
   */
  record DirectoryJson(RnsPath path, int group, double reads, double writes) {}

  static HeatJson of(HeatHistory.Measured measured, PartitionMap map, Map<EntryId, Long> sizes) {
    return new HeatJson(
        rounded(measured.seconds()), directories(measured.heat().folded(MOST, map), map),
        sizes.entrySet().stream().map(each -> new SizeJson(each.getKey(), each.getValue())).toList());
  }

  static List<DirectoryJson> directories(DirectoryHeat heat, PartitionMap map) {
    return heat.heats().entrySet().stream()
        .map(
            each -> new DirectoryJson(
                each.getKey(), map.ofContent(each.getKey()).group(), rounded(each.getValue().reads()),
                rounded(each.getValue().writes())))
        .toList();
  }

  static double rounded(double number) {
    return Math.round(number * 1_000) / 1_000.0;
  }

  DirectoryHeat heat() {
    return heat(directories);
  }

  static DirectoryHeat heat(List<DirectoryJson> directories) {
    TreeMap<RnsPath, Heat> heats = new TreeMap<>();
    directories.forEach(each -> heats.merge(each.path(), new Heat(each.reads(), each.writes()), Heat::plus));
    return new DirectoryHeat(heats);
  }
}
