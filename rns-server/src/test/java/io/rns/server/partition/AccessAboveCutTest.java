package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.permission.AboveDirectory;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.http.ServerJson;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What directories above a cut say of access comes to the servers below it with the map. */
class AccessAboveCutTest {
  private static final EntryId CUT = new EntryId(7);
  private static final EntryId NESTED = new EntryId(11);
  private static final AboveDirectory ROOT = new AboveDirectory(EntryId.ROOT, 0, rules("anyone=read"));
  private static final AboveDirectory OWNED =
      new AboveDirectory(CUT, 2, new AccessRules(Optional.of("local:alice"), Optional.empty()));
  private static final Partition PARTITION =
      new Partition(RnsPath.parse("/exp/cut"), CUT, 1, 5, List.of(ROOT, OWNED));

  private static AccessRules rules(String... texts) {
    return new AccessRules(Optional.empty(), Optional.of(Stream.of(texts).map(AccessRule::parse).toList()));
  }

  private static PartitionTable sent(boolean withAccess) throws IOException {
    PartitionMap map =
        new PartitionMap(List.of(new Partition(RnsPath.ROOT, EntryId.ROOT, 0, 0, List.of(ROOT)), PARTITION));
    PartitionTable table = new PartitionTable(0, map, Positions.NONE, Positions.NONE, new TreeMap<>());
    byte[] json = ServerJson.MAPPER.writeValueAsBytes(PartitionsJson.of(table, 0, withAccess));
    return ServerJson.MAPPER.readValue(json, PartitionsJson.class).table(1);
  }

  @Test
  void theMapOfServersHasItAndThatOfOthersHasNot() throws IOException {
    assertThat(sent(true).map().partitions()).contains(PARTITION);
    assertThat(sent(false).map().partitions()).allMatch(partition -> partition.above().isEmpty());
  }

  /** The group has the cut's content below its own root, where copies of what is above are not to be trusted. */
  @Test
  void aCutBelowACutHasWhatIsAboveBoth() throws IOException {
    AboveDirectory anchor = new AboveDirectory(CUT, 1, rules("anyone=admin"));
    AboveDirectory foreignRoot = new AboveDirectory(EntryId.ROOT, 0, rules("anyone=admin"));
    AboveDirectory between = new AboveDirectory(new EntryId(9), 2, rules("local:bob=list"));
    AboveDirectory nested = new AboveDirectory(NESTED, 3, rules("local:bob=read"));
    Partition own =
        new Partition(
            RnsPath.parse("/" + CUT + "/d/nested"), NESTED, 2, 6, List.of(foreignRoot, anchor, between, nested));
    GroupReport report =
        new GroupReport(1, new Position(1, 1, 1), List.of(), GroupReport.cuts(Anchors.IN_ROOT, List.of(own)));
    GroupReport read =
        ServerJson.MAPPER.readValue(ServerJson.MAPPER.writeValueAsBytes(report), GroupReport.class);
    List<Partition> all =
        Partitions.addReported(
            List.of(new Partition(RnsPath.ROOT, EntryId.ROOT, 0, 0), PARTITION), Map.of(1, read));
    assertThat(all).contains(
        new Partition(
            RnsPath.parse("/exp/cut/d/nested"), NESTED, 2, 6,
            List.of(
                ROOT, OWNED, new AboveDirectory(new EntryId(9), 3, between.access()),
                new AboveDirectory(NESTED, 4, nested.access()))));
  }

  @Test
  void whatCannotBeReadPermitsNothing() {
    assertThat(new AboveJson(CUT, 2, "<access xmlns='urn:rns:ext:1'><later/></access>").directory(0).access())
        .isEqualTo(AccessRules.CLOSED);
  }
}
