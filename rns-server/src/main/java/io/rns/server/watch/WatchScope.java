package io.rns.server.watch;

import io.rns.api.Change;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.store.PlacedChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a watch of a path is in the trees of server groups, by a map of the partitions.
 *
 * <p>A group has its partitions below anchors, except the root. Callers never see the names of these.
 *
 * @param group the owner of the content of the path
 * @param inner the path in the tree of that group
 * @param cuts directories below the path whose content other groups own, which a watch of it does not include
 */
record WatchScope(int group, RnsPath inner, List<Partition> cuts) {
  static WatchScope of(PartitionTable table, RnsPath watched) {
    Partition partition = table.map().ofContent(watched);
    List<Partition> cuts =
        table.map().partitions().stream()
            .filter(each -> each.path().depth() > watched.depth() && watched.contains(each.path())).toList();
    List<EntryName> rest = watched.names().subList(partition.path().depth(), watched.depth());
    RnsPath inner = Anchors.of(partition.group() == table.rootGroup()).inner(partition.root(), rest);
    return new WatchScope(partition.group(), inner, cuts);
  }

  /** Whether a watch of this scope can go on in another one: it is the same part of the same log. */
  boolean isPartOf(WatchScope other) {
    return group == other.group && inner.equals(other.inner);
  }

  /**
   * The cuts that have not been announced yet.
   *
   * @param announced paths of those that were; here they become those that there are now, for directories are renamed
   *        as long as a watch lasts
   */
  List<Partition> unannounced(Set<RnsPath> announced) {
    List<Partition> others = cuts.stream().filter(cut -> !announced.contains(cut.path())).toList();
    announced.clear();
    cuts.forEach(cut -> announced.add(cut.path()));
    return others;
  }

  /**
   * A change in the caller's words; empty if it concerns only names that callers never see, or content of directories
   * below the root whose entries belong to other groups.
   */
  Optional<PlacedChange> told(PartitionTable table, PlacedChange placed) {
    Change change = placed.change();
    if (inner.isRoot() && isOutside(change.path()) && change.oldPath().filter(old -> !isOutside(old)).isEmpty()) {
      return Optional.empty();
    }
    RnsPath path = outer(table, change.path());
    RnsPath oldPath = change.oldPath().map(old -> outer(table, old)).orElse(null);
    if (path == null) {
      // It moved to where no path leads: for watchers it is gone.
      return Optional.ofNullable(oldPath).map(placed::removed);
    }
    if (oldPath == null && change.kind() == Change.Kind.MOVED) {
      return Optional.of(placed.added(path));
    }
    return Optional.of(
        new PlacedChange(
            new Change(
                change.position(), change.time(), change.kind(), change.entry(), path, Optional.ofNullable(oldPath)),
            placed.directory(), placed.oldDirectory()));
  }

  private static boolean isOutside(RnsPath path) {
    return Anchors.OUTSIDE_ROOT.path().contains(path);
  }

  /** What callers call a directory of the group's tree; empty if no path of theirs leads there. */
  static Optional<RnsPath> directory(PartitionTable table, RnsPath inner) {
    return Anchors.of(table.isRoots()).place(inner).map(place -> outer(table, place));
  }

  /** What callers call an entry of the group's tree; null if no path of theirs leads there. */
  private static @Nullable RnsPath outer(PartitionTable table, RnsPath inner) {
    // An anchor is no entry of callers.
    return Anchors.of(table.isRoots()).place(inner)
        .filter(place -> place.partition().equals(EntryId.ROOT) || !place.names().isEmpty())
        .map(place -> outer(table, place)).orElse(null);
  }

  private static @Nullable RnsPath outer(PartitionTable table, Anchors.Place place) {
    return table.map().partitions().stream().filter(each -> each.root().equals(place.partition())).findFirst()
        .map(partition -> RnsPath.belowOrNull(partition.path(), place.names())).orElse(null);
  }
}
