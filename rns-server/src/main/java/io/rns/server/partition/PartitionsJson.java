package io.rns.server.partition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The partitions as JSON.
 *
 * @param positions up to which assignments and renamings are in it, one of each group
 * @param changed positions of its last change
 * @param ageMillis how old it may be: later changes of the root's group may be missing
 */
record PartitionsJson(
    List<Position> positions, List<Position> changed, long ageMillis, List<PartitionJson> partitions,
    List<GroupJson> groups) {
  /** A partition. */
  record PartitionJson(
      RnsPath path, EntryId directory, int group, long epoch,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<AboveJson> above) {
    static PartitionJson of(Partition partition) {
      return of(partition, false);
    }

    static PartitionJson of(Partition partition, boolean withAccess) {
      return new PartitionJson(
          partition.path(), partition.root(), partition.group(), partition.epoch(),
          withAccess ? partition.above().stream().map(each -> AboveJson.of(each, 0)).toList() : null);
    }

    Partition partition() {
      return new Partition(
          path, directory, group, epoch,
          Stream.ofNullable(above).flatMap(List::stream).map(each -> each.directory(0)).toList());
    }
  }

  /** A server group. */
  record GroupJson(int group, List<Announcement> servers) {}

  /**
   * As JSON.
   *
   * @param ageMillis how old the table may be
   * @param withAccess with what says something of access above each partition, for other servers
   */
  static PartitionsJson of(PartitionTable table, long ageMillis, boolean withAccess) {
    return new PartitionsJson(
        table.asOf().each(), table.changed().each(), ageMillis,
        table.map().partitions().stream().map(each -> PartitionJson.of(each, withAccess)).toList(),
        table.servers().entrySet().stream().map(each -> new GroupJson(each.getKey(), each.getValue())).toList());
  }

  /** What was written, for a server of a group. */
  PartitionTable table(int group) {
    TreeMap<Integer, List<Announcement>> servers = new TreeMap<>();
    groups.forEach(each -> servers.put(each.group(), List.copyOf(each.servers())));
    return new PartitionTable(
        group, new PartitionMap(partitions.stream().map(PartitionJson::partition).toList()), new Positions(positions),
        new Positions(changed), servers);
  }
}
