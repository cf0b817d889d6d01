package io.rns.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Consistency;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PartitionTableTest {
  private static final PartitionMap MAP =
      PartitionMap.whole(0).with(RnsPath.parse("/a"), 1).with(RnsPath.parse("/a/b"), 0);

  private static PartitionTable of(int group, PartitionMap map) {
    return new PartitionTable(group, map, Positions.of(new Position(0, 1, 7)), Positions.NONE, new TreeMap<>());
  }

  private static boolean hasAll(int group, String... paths) {
    return of(group, MAP).hasAll(
        List.of(paths).stream().map(Target::of).toList(), new Consistency.Any(), Positions.NONE);
  }

  @Test
  void aGroupHasWhatNoOtherPartitionIsNearerTo() {
    assertThat(hasAll(0, "/", "/c/d")).isTrue();
    assertThat(hasAll(0, "/a/b/e")).as("the way leads through group 1").isFalse();
    assertThat(hasAll(0, "/c", "/a/d")).isFalse();
    assertThat(hasAll(1, "/a/d")).isTrue();
    assertThat(hasAll(1, "/a")).isFalse();
    assertThat(hasAll(1, "/a/b/e")).isFalse();
    assertThat(hasAll(1, "/")).isFalse();
  }

  @Test
  void anIdentityMayBeOfAnyGroupUnlessTheTreeIsWhole() {
    List<Target> byId = List.of(new Target(new EntryId(5), RnsPath.ROOT));
    assertThat(of(0, MAP).hasAll(byId, new Consistency.Any(), Positions.NONE)).isFalse();
    assertThat(of(0, PartitionMap.whole(0)).hasAll(byId, new Consistency.Primary(), Positions.NONE)).isTrue();
  }

  @Test
  void aGroupBelowAsksForAMapThatIsTooOldForTheCaller() {
    List<Target> read = List.of(Target.of("/a/d"));
    Positions newer = Positions.of(new Position(0, 1, 8));
    assertThat(of(1, MAP).hasAll(read, new Consistency.Session(), newer)).isFalse();
    assertThat(of(1, MAP).hasAll(read, new Consistency.Session(), newer.withCuts(new Position(0, 1, 8)))).isFalse();
    assertThat(of(1, MAP).hasAll(read, new Consistency.Session(), newer.withCuts(new Position(0, 1, 7)))).isTrue();
    assertThat(of(1, MAP).hasAll(read, new Consistency.Primary(), Positions.NONE)).isFalse();
    assertThat(of(0, MAP).hasAll(List.of(Target.of("/c")), new Consistency.Session(), newer)).isTrue();
  }

  @Test
  void aGroupBelowAsksForAMapIfTheCutsOfTheCallerBelongToAnotherPosition() {
    List<Target> read = List.of(Target.of("/a/d"));
    Consistency session = new Consistency.Session();
    assertThat(of(1, MAP).hasAll(read, session, Positions.parse("0-1-8,cuts-0-1-8-1-7"))).isTrue();
    assertThat(of(1, MAP).hasAll(read, session, Positions.parse("0-1-9,cuts-0-1-8-1-7"))).isFalse();
    assertThat(of(1, MAP).hasAll(read, session, Positions.parse("0-1-9"))).isFalse();
  }

  @Test
  void aGroupThatHasMoreBehindAnotherOneAsksForAMapWithItsOwnChanges() {
    PartitionMap back = MAP.with(RnsPath.parse("/a/b/c"), 1);
    PartitionTable table =
        new PartitionTable(
            1, back, Positions.of(new Position(0, 1, 7)).with(new Position(1, 1, 3)), Positions.NONE, new TreeMap<>());
    Consistency session = new Consistency.Session();
    List<Target> near = List.of(Target.of("/a/d"));
    List<Target> behind = List.of(Target.of("/a/b/c/d"));
    assertThat(table.hasAll(near, session, Positions.of(new Position(1, 1, 4)))).isTrue();
    assertThat(table.hasAll(behind, session, Positions.of(new Position(1, 1, 3)))).isTrue();
    assertThat(table.hasAll(behind, session, Positions.of(new Position(1, 1, 4)))).isFalse();
  }

  private static List<String> way(PartitionTable table, String path) {
    return table.wayToOwn(RnsPath.parse(path)).orElse(List.of()).stream()
        .map(each -> each.group() + " " + each.path()).toList();
  }

  @Test
  void theWayToAnEntryIsNamedAsEachGroupNamesIt() {
    PartitionMap map = PartitionMap.whole(0).with(RnsPath.parse("/a"), 1).with(RnsPath.parse("/a/b/c"), 2);
    EntryId outer = map.ofContent(RnsPath.parse("/a")).root();
    EntryId inner = map.ofContent(RnsPath.parse("/a/b/c")).root();
    Positions asOf = Positions.of(new Position(0, 1, 7)).with(new Position(1, 1, 3));
    PartitionTable below = new PartitionTable(2, map, asOf, Positions.NONE, new TreeMap<>());
    assertThat(way(of(0, map), "/")).containsExactly("0 /");
    assertThat(way(of(0, map), "/c/d")).containsExactly("0 /c/d");
    assertThat(way(of(1, map), "/a/b")).containsExactly("1 /" + outer + "/b", "0 /a");
    assertThat(way(below, "/a/b/c/d/e"))
        .containsExactly("2 /" + inner + "/d/e", "1 /" + outer + "/b/c", "0 /a");
    PartitionMap other = PartitionMap.whole(3).with(RnsPath.parse("/a"), 0);
    assertThat(way(new PartitionTable(0, other, Positions.of(new Position(3, 1, 7)), Positions.NONE, new TreeMap<>()),
        "/a/d")).containsExactly("0 /" + other.ofContent(RnsPath.parse("/a")).root() + "/d", "3 /a");
  }

  @Test
  void noWayIsNamedToWhatAGroupDoesNotHaveAlone() {
    PartitionMap map = MAP.with(RnsPath.parse("/d"), 2).with(RnsPath.parse("/d/e"), 1);
    for (String path : List.of("/a", "/a/d", "/a/b/e", "/d")) {
      assertThat(way(of(0, map), path)).as(path).isEmpty();
    }
    for (String path : List.of("/", "/c", "/a", "/a/b", "/a/b/e")) {
      assertThat(way(of(1, map), path)).as(path).isEmpty();
    }
    assertThat(way(of(1, map), "/d/e/f")).as("nothing is known of group 2").isEmpty();
  }
}
