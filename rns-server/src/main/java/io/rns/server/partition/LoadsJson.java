package io.rns.server.partition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import io.rns.replication.partition.DirectoryHeat;
import io.rns.replication.partition.Heat;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The size and the heat of all partitions, each without those below it, as JSON. */
record LoadsJson(List<LoadJson> partitions) {
  /**
   * A partition.
   *
   * @param entries null if they are not known
   * @param reads per second
   * @param writes per second
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record LoadJson(RnsPath path, int group, @Nullable Long entries, double reads, double writes) {
    static LoadJson of(Partition partition, @Nullable Long entries, Heat heat) {
      return new LoadJson(
          partition.path(), partition.group(), entries, HeatJson.rounded(heat.reads()),
          HeatJson.rounded(heat.writes()));
    }
  }

  static LoadsJson of(PartitionMap map, Map<EntryId, Long> entries, DirectoryHeat heat) {
    return new LoadsJson(
        map.partitions().stream()
            .map(partition -> LoadJson.of(partition, entries.get(partition.root()), of(partition, map, heat)))
            .toList());
  }

  private static Heat of(Partition partition, PartitionMap map, DirectoryHeat heat) {
    return heat.heats().entrySet().stream()
        .filter(each -> map.ofContent(each.getKey()).equals(partition))
        .map(Map.Entry::getValue)
        .reduce(Heat.NONE, Heat::plus);
  }
}
