package io.rns.server.watch;

import io.rns.api.Change;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.store.PlacedChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a watch of a path is in the trees of server groups, by a map of the partitions.
 *
 * <p>A group that does not own the root has each of its partitions below a directory of its own root, named by the
 * identity of the partition's root. Callers never see these names.
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
    RnsPath inner = watched;
    if (!partition.path().isRoot()) {
      List<EntryName> rest = watched.names().subList(partition.path().depth(), watched.depth());
      inner = RnsPath.of(Stream.concat(Stream.of(EntryName.of(partition.root().toString())), rest.stream()).toList());
    }
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

  /** A change in the caller's words; empty if it concerns only names that callers never see. */
  static Optional<PlacedChange> told(PartitionTable table, PlacedChange placed) {
    if (table.isRoots()) {
      return Optional.of(placed);
    }
    Change change = placed.change();
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

  /** What callers call a directory of the group's tree; empty if no path of theirs leads there. */
  static Optional<RnsPath> directory(PartitionTable table, RnsPath inner) {
    return table.isRoots() ? Optional.of(inner) : Optional.ofNullable(below(table, inner));
  }

  /** What callers call an entry of the group's tree; null if no path of theirs leads there. */
  private static @Nullable RnsPath outer(PartitionTable table, RnsPath inner) {
    // What stands for a partition in the group's root is no entry of callers.
    return inner.depth() < 2 ? null : below(table, inner);
  }

  private static @Nullable RnsPath below(PartitionTable table, RnsPath inner) {
    if (inner.isRoot()) {
      return null;
    }
    EntryId root;
    try {
      root = EntryId.parse(inner.names().getFirst().toString());
    } catch (RnsException e) {
      return null;
    }
    List<EntryName> rest = inner.names().subList(1, inner.depth());
    return table.map().partitions().stream().filter(each -> each.root().equals(root)).findFirst()
        .map(partition -> RnsPath.belowOrNull(partition.path(), rest)).orElse(null);
  }
}
