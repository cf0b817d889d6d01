package io.rns.replication.partition;

import io.rns.api.EntryId;
import io.rns.api.RnsPath;

/**
 * A part of the tree that one server group owns: what is below a directory, without the partitions below it. The entry
 * of the directory itself belongs to the partition above.
 *
 * @param path where the directory is
 * @param root the directory, which stays the same when it is renamed
 * @param group the server group
 * @param epoch the number of the change that made the group the owner; 0 for the whole tree
 */
public record Partition(RnsPath path, EntryId root, int group, long epoch) {}
