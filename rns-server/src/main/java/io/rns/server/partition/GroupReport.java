package io.rns.server.partition;

import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.replication.partition.Partition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a group that does not own the root tells those who do.
 *
 * @param group its number
 * @param position up to which assignments and renamings are in it
 * @param servers its servers
 * @param cuts the directories in its parts of the tree whose content other groups own
 */
record GroupReport(int group, Position position, List<Announcement> servers, List<Cut> cuts) {
  /**
   * A directory whose content another group owns.
   *
   * @param base the root of the partition in which it is
   * @param path its path from there
   * @param directory its identity
   * @param group the owner of its content
   * @param epoch the number of the change that made the group the owner
   */
  record Cut(EntryId base, RnsPath path, EntryId directory, int group, long epoch) {
    /** As a group has it in its own tree, below a directory that is named by the identity of the base. */
    static Cut of(Partition partition) {
      RnsPath path = partition.path();
      return new Cut(
          EntryId.parse(path.names().getFirst().toString()), RnsPath.of(path.names().subList(1, path.depth())),
          partition.root(), partition.group(), partition.epoch());
    }
  }

  /** The group to which this one says that the content of a directory went, or from which it takes that in. */
  private OptionalInt wentTo(EntryId directory) {
    return cuts.stream()
        .filter(cut -> cut.path().isRoot() && cut.directory().equals(directory))
        .mapToInt(Cut::group)
        .findFirst();
  }

  /**
   * The partitions with those who own them now. What a group knows of a directory that it does not own leads to its
   * next owner, and from there on; a group that takes the content in says who had it before, which ends there.
   */
  static List<Partition> withOwners(List<Partition> partitions, Map<Integer, GroupReport> reports) {
    return partitions.stream().map(partition -> withOwner(partition, reports)).toList();
  }

  private static Partition withOwner(Partition partition, Map<Integer, GroupReport> reports) {
    Set<Integer> asked = new HashSet<>();
    int owner = partition.group();
    while (asked.add(owner)) {
      GroupReport report = reports.get(owner);
      OptionalInt next = report == null ? OptionalInt.empty() : report.wentTo(partition.root());
      if (next.isEmpty() || asked.contains(next.getAsInt())) {
        break;
      }
      owner = next.getAsInt();
    }
    return new Partition(partition.path(), partition.root(), owner, partition.epoch());
  }

  /** The partitions that these cuts make, as far as their bases are among the known ones. */
  List<Partition> below(List<Partition> known) {
    List<Partition> found = new ArrayList<>();
    for (Cut cut : cuts) {
      known.stream()
          .filter(base -> base.root().equals(cut.base()) && base.group() == group && !cut.path().isRoot())
          .map(base -> new Partition(base.path().resolve(cut.path()), cut.directory(), cut.group(), cut.epoch()))
          .forEach(found::add);
    }
    return found;
  }
}
