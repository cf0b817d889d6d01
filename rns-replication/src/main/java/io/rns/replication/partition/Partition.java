package io.rns.replication.partition;

import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import io.rns.permission.AboveDirectory;
import java.util.List;

/**
 * A part of the tree that one server group owns: what is below a directory, without the partitions below it. The entry
 * of the directory itself belongs to the partition above.
 *
 * @param path where the directory is
 * @param root the directory, which stays the same when it is renamed
 * @param group the server group
 * @param epoch the number of the change that made the group the owner; 0 for the whole tree
 * @param above the directories from the root of the tree down to this one that say something of access
 */
public record Partition(RnsPath path, EntryId root, int group, long epoch, List<AboveDirectory> above) {
  public Partition {
    above = List.copyOf(above);
  }

  /** A part of a tree that says nothing of access. */
  public Partition(RnsPath path, EntryId root, int group, long epoch) {
    this(path, root, group, epoch, List.of());
  }
}
