package io.rns.server.watch;

import io.rns.api.Change;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionTable;
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
  static Optional<Change> told(PartitionTable table, Change change) {
    if (table.isRoots()) {
      return Optional.of(change);
    }
    RnsPath path = outer(table, change.path());
    RnsPath oldPath = change.oldPath().map(old -> outer(table, old)).orElse(null);
    if (path == null) {
      // It moved to where no path leads: for watchers it is gone.
      return Optional.ofNullable(oldPath).map(old -> told(change, Change.Kind.REMOVED, old, null));
    }
    boolean appeared = change.kind() == Change.Kind.MOVED && oldPath == null;
    return Optional.of(told(change, appeared ? Change.Kind.ADDED : change.kind(), path, oldPath));
  }

  private static Change told(Change change, Change.Kind kind, RnsPath path, @Nullable RnsPath oldPath) {
    return new Change(
        change.position(), change.time(), kind, change.entry(), path, Optional.ofNullable(oldPath));
  }

  /** What callers call a path of the group's tree; null if no path of theirs leads there. */
  private static @Nullable RnsPath outer(PartitionTable table, RnsPath inner) {
    if (inner.depth() < 2) {
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
