package io.rns.server.partition;

import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.replication.partition.Partition;
import io.rns.server.namespace.LocalNameService;
import java.util.OptionalInt;

/**
 * What a group knows of the content of a directory.
 *
 * @param group to which it gave the content, or from which it takes that in; its own number if it owns the content
 * @param epoch the version of the directory at this group since; 0 if the group owns the content
 * @param position at which the group's primary knew that
 */
record OwnerJson(int group, long epoch, Position position) {
  /** At the primary. */
  static OwnerJson of(LocalNameService copy, EntryId directory) {
    copy.checkLatest();
    long epoch =
        copy.partitions().value().partitions().stream()
            .filter(cut -> cut.root().equals(directory))
            .mapToLong(Partition::epoch)
            .findFirst()
            .orElse(0);
    OptionalInt owner = copy.row(directory).owner();
    Position position = copy.position();
    return new OwnerJson(owner.orElse(position.group()), epoch, position);
  }
}
