package io.rns.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which partition has what. */
class PartitionMapTest {
  private static Partition partition(String path, long root, int group, long epoch) {
    return new Partition(RnsPath.parse(path), new EntryId(root), group, epoch);
  }

  private static final Partition WHOLE = partition("/", 1, 0, 0);
  private static final Partition OUTER = partition("/a", 2, 3, 17);
  private static final Partition INNER = partition("/a/b/c", 9, 0, 40);

  private static RnsPath path(String text) {
    return RnsPath.parse(text);
  }

  @Test
  void theEntryOfADirectoryStaysAboveAndItsContentIsItsOwn() {
    PartitionMap map = new PartitionMap(List.of(INNER, WHOLE, OUTER));
    assertThat(map.partitions()).containsExactly(WHOLE, OUTER, INNER);
    assertThat(map.epoch()).isEqualTo(40);
    assertThat(map.ofEntry(path("/"))).isEqualTo(WHOLE);
    assertThat(map.ofEntry(path("/a"))).isEqualTo(WHOLE);
    assertThat(map.ofContent(path("/a"))).isEqualTo(OUTER);
    assertThat(map.ofEntry(path("/a/b/c"))).isEqualTo(OUTER);
    assertThat(map.ofContent(path("/a/b/c"))).isEqualTo(INNER);
    assertThat(map.ofEntry(path("/a/b/c/d"))).isEqualTo(INNER);
    assertThat(map.ofContent(path("/ab"))).as("no name begins another one's partition").isEqualTo(WHOLE);
  }

  @Test
  void aTreeWithoutCutsIsOnePartition() {
    PartitionMap map = PartitionMap.whole(7);
    assertThat(map.epoch()).isZero();
    assertThat(map.ofEntry(path("/a/b")).group()).isEqualTo(7);
    assertThat(map.ofContent(path("/")).group()).isEqualTo(7);
  }

  @Test
  void whatIsNoMapIsRefused() {
    for (List<Partition> wrong : List.of(
        List.<Partition>of(), List.of(OUTER), List.of(WHOLE, OUTER, partition("/a", 3, 4, 5)),
        List.of(WHOLE, OUTER, partition("/b", 2, 4, 5)))) {
      assertThatThrownBy(() -> new PartitionMap(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theNearestPartitionAboveIsTheOwnerHoweverTheyAreNested() {
    Random random = new Random(17);
    for (int round = 0; round < 500; round++) {
      List<Partition> partitions = new ArrayList<>(List.of(WHOLE));
      for (int i = 0; i < 8; i++) {
        String at = randomPath(random);
        if (partitions.stream().noneMatch(known -> known.path().equals(path(at)))) {
          partitions.add(partition(at, 2 + i, i, i));
        }
      }
      Collections.shuffle(partitions, random);
      PartitionMap map = new PartitionMap(partitions);
      RnsPath asked = path(randomPath(random));
      RnsPath at = asked;
      while (!isRoot(partitions, at)) {
        at = at.parent();
      }
      assertThat(map.ofContent(asked).path()).isEqualTo(at);
    }
  }

  private static boolean isRoot(List<Partition> partitions, RnsPath path) {
    return partitions.stream().anyMatch(partition -> partition.path().equals(path));
  }

  private static String randomPath(Random random) {
    StringBuilder path = new StringBuilder();
    for (int depth = 1 + random.nextInt(4); depth > 0; depth--) {
      path.append('/').append((char) ('a' + random.nextInt(3)));
    }
    return path.toString();
  }
}
