package io.rns.server.partition;

import io.rns.api.RnsPath;
import io.rns.replication.partition.DirectoryHeat;
import io.rns.replication.partition.Heat;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import java.util.List;
import java.util.Map;

/** The heat of all partitions, each without those below it, as JSON. */
record LoadsJson(List<LoadJson> partitions) {
  /**
   * The heat of a partition.
   *
   * @param reads per second
   * @param writes per second
   */
  record LoadJson(RnsPath path, int group, double reads, double writes) {
    static LoadJson of(Partition partition, Heat heat) {
      return new LoadJson(
          partition.path(), partition.group(), HeatJson.rounded(heat.reads()), HeatJson.rounded(heat.writes()));
    }
  }

  static LoadsJson of(PartitionMap map, DirectoryHeat heat) {
    return new LoadsJson(
        map.partitions().stream().map(partition -> LoadJson.of(partition, of(partition, map, heat))).toList());
  }

  private static Heat of(Partition partition, PartitionMap map, DirectoryHeat heat) {
    return heat.heats().entrySet().stream()
        .filter(each -> map.ofContent(each.getKey()).equals(partition))
        .map(Map.Entry::getValue)
        .reduce(Heat.NONE, Heat::plus);
  }
}
