package io.rns.server.partition;

import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.permission.AboveDirectory;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.Partition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a group tells those who own the root: of directories whose entries belong to other groups, and of content below.
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
   * @param above the directories below the base down to this one that say something of access; null from servers that
   *        know no access rules
   */
  record Cut(
      EntryId base, RnsPath path, EntryId directory, int group, long epoch, @Nullable List<AboveJson> above) {
    private static Cut of(Anchors.Place place, Partition partition) {
      int base = partition.path().depth() - place.names().size();
      return new Cut(
          place.partition(), RnsPath.of(place.names()), partition.root(), partition.group(), partition.epoch(),
          partition.above().stream().filter(each -> each.depth() > base).map(each -> AboveJson.of(each, -base))
              .toList());
    }

    /** What says something of access from the root of the tree down to the directory. */
    private List<AboveDirectory> allAbove(Partition from) {
      return Stream.concat(
          from.above().stream(),
          Stream.ofNullable(above).flatMap(List::stream).map(each -> each.directory(from.path().depth()))).toList();
    }
  }

  /** Those of a group's cuts, as it has them in its own tree, that are below its anchors. */
  static List<Cut> cuts(Anchors anchors, List<Partition> own) {
    List<Cut> cuts = new ArrayList<>();
    for (Partition partition : own) {
      anchors.place(partition.path()).filter(place -> !place.partition().equals(EntryId.ROOT))
          .ifPresent(place -> cuts.add(Cut.of(place, partition)));
    }
    return cuts;
  }

  /** This report, with the cuts of a former one that is ahead of it: a replica that lags tells nothing new. */
  GroupReport after(GroupReport former) {
    return position.compareTo(former.position) < 0
        ? new GroupReport(group, former.position, servers, former.cuts)
        : this;
  }

  /** To which group this one says that the content of a directory went, or from which it takes that in. */
  private Optional<Cut> wentTo(EntryId directory) {
    return cuts.stream().filter(cut -> cut.path().isRoot() && cut.directory().equals(directory)).findFirst();
  }

  /**
   * The partitions with those who own them now. What a group knows of a directory that it does not own leads to its
   * next owner, and from there on. Of two groups that name each other, the one with the later epoch has given the
   * content away, and the other one takes it in.
   *
   * @param from the group with the directories' entries
   */
  static List<Partition> withOwners(int from, List<Partition> partitions, Map<Integer, GroupReport> reports) {
    return partitions.stream().map(partition -> withOwner(from, partition, reports)).toList();
  }

  private static Partition withOwner(int from, Partition partition, Map<Integer, GroupReport> reports) {
    Map<Integer, Long> left = new HashMap<>(Map.of(from, partition.epoch()));
    int owner = partition.group();
    while (!left.containsKey(owner)) {
      GroupReport report = reports.get(owner);
      Cut next = report == null ? null : report.wentTo(partition.root()).orElse(null);
      if (next == null || left.getOrDefault(next.group(), 0L) > next.epoch()) {
        break;
      }
      left.put(owner, next.epoch());
      owner = next.group();
    }
    return new Partition(partition.path(), partition.root(), owner, partition.epoch(), partition.above());
  }

  /** The partitions that these cuts make, as far as their bases are among the known ones. */
  List<Partition> below(List<Partition> known) {
    List<Partition> found = new ArrayList<>();
    for (Cut cut : cuts) {
      known.stream()
          .filter(base -> base.root().equals(cut.base()) && base.group() == group && !cut.path().isRoot())
          .map(
              base -> new Partition(
                  base.path().resolve(cut.path()), cut.directory(), cut.group(), cut.epoch(), cut.allAbove(base)))
          .forEach(found::add);
    }
    return found;
  }
}
