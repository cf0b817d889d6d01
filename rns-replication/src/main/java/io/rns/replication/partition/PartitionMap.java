package io.rns.replication.partition;

import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All partitions of a tree as of one moment.
 *
 * @param partitions the whole tree first, each partition before those below it
 */
public record PartitionMap(List<Partition> partitions) {
  /**
   * A map.
   *
   * @throws IllegalArgumentException if the first partition is not the whole tree, or two have the same directory or
   *         path
   */
  public PartitionMap {
    List<Partition> sorted = new ArrayList<>(partitions);
    sorted.sort(Comparator.comparingInt(partition -> partition.path().depth()));
    partitions = List.copyOf(sorted);
    if (partitions.isEmpty() || !partitions.getFirst().path().isRoot()) {
      throw new IllegalArgumentException("no partition is the whole tree: " + partitions);
    }
    Set<Object> places = new HashSet<>();
    for (Partition partition : partitions) {
      if (!places.add(partition.path()) || !places.add(partition.root())) {
        throw new IllegalArgumentException("two partitions at " + partition);
      }
    }
  }

  /** A tree without cuts. */
  public static PartitionMap whole(int group) {
    return new PartitionMap(List.of(new Partition(RnsPath.ROOT, EntryId.ROOT, group, 0)));
  }

  /**
   * The map after these moves, in their order. New partitions have identities that no directory has, as only their
   * owners are to be known.
   */
  PartitionMap with(List<Plan.Move> moves) {
    PartitionMap map = this;
    for (Plan.Move move : moves) {
      map = map.with(move.path(), move.to());
    }
    return map;
  }

  PartitionMap with(RnsPath path, int to) {
    List<Partition> all = new ArrayList<>();
    EntryId root = new EntryId(Long.MAX_VALUE - epoch());
    for (Partition partition : partitions) {
      if (partition.path().equals(path) && !path.isRoot()) {
        root = partition.root();
      } else {
        all.add(partition);
      }
    }
    PartitionMap others = new PartitionMap(all);
    if (others.ofContent(path).group() != to) {
      all.add(new Partition(path, root, to, epoch() + 1));
    }
    return new PartitionMap(all);
  }

  /** Increases with each assignment. */
  public long epoch() {
    return partitions.stream().mapToLong(Partition::epoch).max().orElse(0);
  }

  /** The partition with the entry of a path: the nearest one above it. */
  public Partition ofEntry(RnsPath path) {
    return path.isRoot() ? partitions.getFirst() : ofContent(path.parent());
  }

  /** The partition with the content of a directory at a path. */
  public Partition ofContent(RnsPath directory) {
    Partition nearest = partitions.getFirst();
    for (Partition partition : partitions) {
      if (partition.path().depth() > nearest.path().depth() && partition.path().contains(directory)) {
        nearest = partition;
      }
    }
    return nearest;
  }
}
