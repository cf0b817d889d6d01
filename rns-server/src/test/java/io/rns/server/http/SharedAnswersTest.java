package io.rns.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Hop;
import io.rns.api.Metadata;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SharedAnswersTest {
  private static final RnsPath PATH = RnsPath.parse("/a b/c");
  private static final Position OWN = new Position(1, 1, 4);
  private static final Entry ENTRY = directory(OptionalInt.empty());

  private PartitionTable table = table();

  private static PartitionTable table() {
    PartitionMap map =
        new PartitionMap(
            List.of(
                new Partition(RnsPath.ROOT, EntryId.ROOT, 0, 0),
                new Partition(RnsPath.parse("/a b"), new EntryId(5), 1, 3)));
    return new PartitionTable(1, map, Positions.of(new Position(0, 1, 9)), Positions.NONE, new TreeMap<>());
  }

  private static VirtualDirectory directory(OptionalInt owner) {
    return new VirtualDirectory(
        new Binding(new EntryId(5), EntryName.of("c")), new EntryId(6), 1, Instant.EPOCH, Instant.EPOCH, Metadata.NONE,
        0, owner);
  }

  private SharedLookup begun() {
    return new SharedAnswers(() -> table, true).begin(PATH).orElseThrow();
  }

  @Test
  void anAnswerNamesThePartsOfItsPathAndTheirPositions() {
    assertThat(begun().header(ENTRY, OWN)).contains("1-1-4=%2F" + new EntryId(5) + "%2Fc 0-1-9=%2Fa+b");
  }

  @Test
  void anAnswerThatMayDependOnMoreIsNotShared() {
    assertThat(begun().header(directory(OptionalInt.of(2)), OWN)).as("a directory with its content elsewhere")
        .isEmpty();
    assertThat(begun().header(ENTRY, new Position(0, 1, 9))).as("of another group").isEmpty();
    SharedLookup asked = begun();
    asked.explanation().add(new Hop.Asked("http://x", "", 1, Optional.empty()));
    assertThat(asked.header(ENTRY, OWN)).as("with another server's help").isEmpty();
    SharedLookup overtaken = begun();
    table = table();
    assertThat(overtaken.header(ENTRY, OWN)).as("the map may have been another one").isEmpty();
  }

  @Test
  void aPageIsSharedUnlessAnEntryInItDependsOnMore() {
    VirtualDirectory here = directory(OptionalInt.empty());
    assertThat(begun().header(new Page(here, List.of(ENTRY), Optional.empty()), OWN)).isPresent();
    Page other = new Page(here, List.of(ENTRY, directory(OptionalInt.of(2))), Optional.empty());
    assertThat(begun().header(other, OWN)).isEmpty();
  }

  @Test
  void nothingIsSharedWhereReadsAreRecordedOrPartitionsUnknown() {
    assertThat(new SharedAnswers(() -> table, false).begin(PATH)).isEmpty();
    assertThat(new SharedAnswers(() -> table, true).begin(RnsPath.parse("/d"))).as("of the group above").isEmpty();
    assertThat(new SharedAnswers(() -> {
      throw new RnsException(RnsError.UNAVAILABLE, "starting");
    }, true).begin(PATH)).isEmpty();
  }
}
