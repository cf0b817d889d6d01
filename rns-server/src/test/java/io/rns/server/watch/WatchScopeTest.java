package io.rns.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Change;
import io.rns.api.Change.Kind;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.store.PlacedChange;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Watches in a tree in which /a belongs to group 1, /a/b/c to 2, and /a/b/c/d to 1 again. */
class WatchScopeTest {
  private static final EntryId A = new EntryId(0xa);
  private static final EntryId C = new EntryId(0xc);
  private static final EntryId D = new EntryId(0xd);
  private static final EntryId NEW = new EntryId(0x4e);
  private static final EntryId OLD = new EntryId(0x01d);
  private static final PartitionMap MAP =
      new PartitionMap(
          List.of(
              new Partition(RnsPath.ROOT, EntryId.ROOT, 0, 0), new Partition(path("/a"), A, 1, 3),
              new Partition(path("/a/b/c"), C, 2, 4), new Partition(path("/a/b/c/d"), D, 1, 5)));

  private static RnsPath path(String text) {
    return RnsPath.parse(text);
  }

  private static PartitionTable at(int group) {
    return new PartitionTable(group, MAP, Positions.NONE, Positions.NONE, new TreeMap<>());
  }

  private static WatchScope scope(String watched) {
    return WatchScope.of(at(1), path(watched));
  }

  @Test
  void aWatchBelongsToTheOwnerOfTheContentAndEndsAtCuts() {
    assertThat(scope("/")).extracting(WatchScope::group, WatchScope::inner).containsExactly(0, RnsPath.ROOT);
    assertThat(scope("/").cuts()).extracting(Partition::root).containsExactly(A, C, D);
    assertThat(scope("/x/y")).isEqualTo(new WatchScope(0, path("/x/y"), List.of()));
    assertThat(scope("/a")).extracting(WatchScope::group, WatchScope::inner).containsExactly(1, path("/" + A));
    assertThat(scope("/a").cuts()).extracting(Partition::root).containsExactly(C, D);
    assertThat(scope("/a/b/x")).isEqualTo(new WatchScope(1, path("/" + A + "/b/x"), List.of()));
    assertThat(scope("/a/b/c/x")).isEqualTo(new WatchScope(2, path("/" + C + "/x"), List.of()));
    assertThat(scope("/a/b/c/d/x")).isEqualTo(new WatchScope(1, path("/" + D + "/x"), List.of()));
    assertThat(scope("/a").isPartOf(WatchScope.of(at(2), path("/a")))).isTrue();
    assertThat(scope("/a").isPartOf(scope("/a/b"))).isFalse();
  }

  /** Whoever renames a directory above cuts again and again must not fill the memory of a watch. */
  @Test
  void cutsAreAnnouncedOnceAndForgottenWhenTheyAreGone() {
    Set<RnsPath> announced = new HashSet<>();
    assertThat(scope("/").unannounced(announced)).extracting(Partition::root).containsExactly(A, C, D);
    assertThat(scope("/").unannounced(announced)).isEmpty();
    WatchScope renamed = new WatchScope(0, RnsPath.ROOT, List.of(new Partition(path("/z"), A, 1, 3)));
    assertThat(renamed.unannounced(announced)).extracting(Partition::root).containsExactly(A);
    assertThat(announced).containsExactly(path("/z"));
  }

  private static Change change(Kind kind, String path, String... oldPath) {
    return new Change(
        new Position(1, 1, 7), Instant.EPOCH, kind, new EntryId(9), path(path),
        oldPath.length == 0 ? Optional.empty() : Optional.of(path(oldPath[0])));
  }

  private static PlacedChange placed(Kind kind, String path, String... oldPath) {
    return new PlacedChange(
        change(kind, path, oldPath), NEW, oldPath.length == 0 ? Optional.empty() : Optional.of(OLD));
  }

  private static Optional<Change> told(Kind kind, String path, String... oldPath) {
    return scope("/a").told(at(1), placed(kind, path, oldPath)).map(PlacedChange::change);
  }

  @Test
  void aChangeKeepsTheDirectoryOfThePathThatIsShown() {
    String here = "/" + A + "/x";
    assertThat(scope("/a").told(at(1), placed(Kind.ADDED, here)))
        .contains(new PlacedChange(change(Kind.ADDED, "/a/x"), NEW));
    assertThat(scope("/a").told(at(1), placed(Kind.MOVED, here, "/" + D + "/y")))
        .contains(new PlacedChange(change(Kind.MOVED, "/a/x", "/a/b/c/d/y"), NEW, Optional.of(OLD)));
    assertThat(scope("/a").told(at(1), placed(Kind.MOVED, here, "/left-over/y")))
        .contains(new PlacedChange(change(Kind.ADDED, "/a/x"), NEW));
    assertThat(scope("/a").told(at(1), placed(Kind.MOVED, "/left-over/y", here)))
        .contains(new PlacedChange(change(Kind.REMOVED, "/a/x"), OLD));
  }

  @Test
  void aDirectoryOfTheGroupHasThePathOfCallers() {
    assertThat(WatchScope.directory(at(0), path("/x/y"))).contains(path("/x/y"));
    assertThat(WatchScope.directory(at(1), path("/" + A))).contains(path("/a"));
    assertThat(WatchScope.directory(at(1), path("/" + D + "/x"))).contains(path("/a/b/c/d/x"));
    assertThat(WatchScope.directory(at(1), path("/left-over/x"))).isEmpty();
    assertThat(WatchScope.directory(at(1), RnsPath.ROOT)).isEmpty();
  }

  @Test
  void changesNameThePathsOfCallers() {
    assertThat(told(Kind.ADDED, "/" + A + "/x")).contains(change(Kind.ADDED, "/a/x"));
    assertThat(told(Kind.REMOVED, "/" + D + "/x/y")).contains(change(Kind.REMOVED, "/a/b/c/d/x/y"));
    assertThat(told(Kind.MOVED, "/" + A + "/x", "/" + D + "/y")).contains(change(Kind.MOVED, "/a/x", "/a/b/c/d/y"));
    PlacedChange plain = placed(Kind.MOVED, "/x", "/y");
    assertThat(scope("/").told(at(0), plain)).as("where the root is owned").contains(plain);
  }

  private static final EntryId B = new EntryId(0xb);
  /** Group 0 has the content of /a/b, whose entry is in that of group 1. */
  private static final PartitionTable TO_ROOTS_GROUP =
      new PartitionTable(
          0,
          new PartitionMap(
              List.of(
                  new Partition(RnsPath.ROOT, EntryId.ROOT, 0, 0), new Partition(path("/a"), A, 1, 3),
                  new Partition(path("/a/b"), B, 0, 4))),
          Positions.NONE, Positions.NONE, new TreeMap<>());

  /** A path of the group that has the root, in its own words. */
  private static RnsPath outside(String below) {
    return Anchors.OUTSIDE_ROOT.path().resolve(path(below));
  }

  private static PlacedChange moved(RnsPath path, RnsPath oldPath) {
    return new PlacedChange(
        new Change(new Position(0, 1, 7), Instant.EPOCH, Kind.MOVED, new EntryId(9), path, Optional.of(oldPath)), NEW,
        Optional.of(OLD));
  }

  @Test
  void contentOfOtherGroupsDirectoriesIsWatchedThereAndNotAtTheRoot() {
    WatchScope inside = WatchScope.of(TO_ROOTS_GROUP, path("/a/b/c"));
    assertThat(inside).isEqualTo(new WatchScope(0, outside("/" + B + "/c"), List.of()));
    WatchScope top = WatchScope.of(TO_ROOTS_GROUP, RnsPath.ROOT);
    assertThat(top.inner()).isEqualTo(RnsPath.ROOT);
    PlacedChange within = moved(outside("/" + B + "/c/x"), outside("/" + B + "/c/y"));
    assertThat(inside.told(TO_ROOTS_GROUP, within)).contains(moved(path("/a/b/c/x"), path("/a/b/c/y")));
    assertThat(top.told(TO_ROOTS_GROUP, within)).isEmpty();
    PlacedChange leaves = moved(outside("/" + B + "/c/x"), path("/x"));
    for (WatchScope scope : List.of(inside, top)) {
      assertThat(scope.told(TO_ROOTS_GROUP, leaves)).contains(moved(path("/a/b/c/x"), path("/x")));
    }
    PlacedChange root = placed(Kind.CHANGED, "/");
    assertThat(top.told(TO_ROOTS_GROUP, root)).contains(root);
    PlacedChange anchor =
        new PlacedChange(
            new Change(new Position(0, 1, 7), Instant.EPOCH, Kind.CHANGED, B, outside("/" + B), Optional.empty()), NEW);
    assertThat(WatchScope.of(TO_ROOTS_GROUP, path("/a/b")).told(TO_ROOTS_GROUP, anchor)).isEmpty();
    assertThat(WatchScope.directory(TO_ROOTS_GROUP, outside("/" + B + "/c"))).contains(path("/a/b/c"));
    assertThat(WatchScope.directory(TO_ROOTS_GROUP, Anchors.OUTSIDE_ROOT.path())).isEmpty();
    assertThat(WatchScope.directory(TO_ROOTS_GROUP, path("/" + B))).as("a name of callers").contains(path("/" + B));
  }

  @Test
  void innerNamesAreNeverShown() {
    assertThat(told(Kind.ADDED, "/" + A)).as("the directory that stands for a partition").isEmpty();
    assertThat(told(Kind.ADDED, "/left-over/x")).isEmpty();
    assertThat(told(Kind.ADDED, "/" + C + "/x")).contains(change(Kind.ADDED, "/a/b/c/x"));
    assertThat(told(Kind.CHANGED, "/" + new EntryId(0xe) + "/x")).as("a partition that the map lacks").isEmpty();
    assertThat(told(Kind.MOVED, "/" + A + "/x", "/left-over/y")).contains(change(Kind.ADDED, "/a/x"));
    assertThat(told(Kind.MOVED, "/left-over/y", "/" + A + "/x")).contains(change(Kind.REMOVED, "/a/x"));
  }
}
