package io.rns.replication.partition;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a server knows of the partitions of the tree and the servers of the groups that own them.
 *
 * @param group the server group of this server
 * @param map the partitions
 * @param asOf the positions up to which assignments and renamings are in the map, of the groups that have cuts
 * @param changed positions of the last change of the map: what a reader of it has seen
 * @param servers the servers of each group
 */
public record PartitionTable(
    int group, PartitionMap map, Positions asOf, Positions changed, SortedMap<Integer, List<Announcement>> servers) {
  /** A tree without cuts, as far as is known. */
  public static PartitionTable whole(int group) {
    return new PartitionTable(group, PartitionMap.whole(group), Positions.NONE, Positions.NONE, new TreeMap<>());
  }

  /** The server group that owns the root. */
  public int rootGroup() {
    return map.partitions().getFirst().group();
  }

  /** Whether this server's group owns the root. */
  public boolean isRoots() {
    return rootGroup() == group;
  }

  /** Whether a group has servers or parts of the tree, as far as is known. */
  boolean knows(int of) {
    return of == group || servers.containsKey(of)
        || map.partitions().stream().anyMatch(partition -> partition.group() == of);
  }

  /** Whether a part of the tree belongs to another group than the root. */
  public boolean hasCuts() {
    return map.partitions().size() > 1;
  }

  /** The servers of a group that live, as far as is known; those that are draining last. */
  public List<Announcement> living(int of) {
    return servers.getOrDefault(of, List.of()).stream().filter(Announcement::living)
        .sorted(Comparator.comparing(server -> server.role() == ServerRole.DRAINING)).toList();
  }

  /**
   * The address of a server of the group that owns what a path names, for a caller that contacts it itself; empty if
   * that is this group, or none of its servers is known. Only the group of the root refers: another one may not know
   * yet that the path is its own, and would refer back.
   *
   * @param content whether the content of a directory is asked for, not its entry
   * @param write whether the primary is preferred
   */
  public Optional<String> elsewhere(RnsPath path, boolean content, boolean write) {
    int owner = (content ? map.ofContent(path) : map.ofEntry(path)).group();
    if (!isRoots() || owner == group) {
      return Optional.empty();
    }
    List<Announcement> living = living(owner);
    return living.stream().filter(server -> write && server.role() == ServerRole.PRIMARY).findFirst()
        .or(() -> living.stream().findFirst()).map(Announcement::url);
  }

  /** Whether the map is recent enough for a call to find its way by it, in place of the groups above. */
  boolean suffices(CallContext call) {
    return suffices(call.consistency(), call.seen());
  }

  /**
   * Whether the map leads a call to a partition of this server's group. Where the way leads out of the group and back,
   * it begins with cuts that the group itself made: of those, who has just renamed one knows more than the map.
   */
  boolean leadsTo(Partition own, CallContext call) {
    return leadsTo(own, call.consistency(), call.seen());
  }

  /** Whether the map has all that a call has seen of the cuts that this server's group made itself. */
  boolean hasOwnCuts(CallContext call) {
    return hasOwnCuts(call.consistency(), call.seen());
  }

  /** At the group of the root: whether the way to a directory leads out of a group and back. */
  boolean leadsBack(Target directory) {
    Set<Integer> groups = new HashSet<>();
    return isRoots() && directory.start().equals(EntryId.ROOT) && map.partitions().stream()
        .anyMatch(each -> each.path().contains(directory.path()) && !groups.add(each.group()));
  }

  private boolean hasOwnCuts(Consistency consistency, Positions seen) {
    return !(consistency instanceof Consistency.Session) || asOf.of(group).isEmpty()
        || seen.cutsOf(group).map(asOf::covers).orElse(true);
  }

  private boolean leadsTo(Partition own, Consistency consistency, Positions seen) {
    return hasOwnCuts(consistency, seen)
        || map.partitions().stream().noneMatch(
            above -> above.group() == group && !above.path().equals(own.path()) && above.path().contains(own.path()));
  }

  /**
   * Whether this server's group has all that is read, as far as is known, so that no other group is asked for it.
   *
   * @param consistency of the read
   * @param seen what its caller has seen
   */
  public boolean hasAll(List<Target> read, Consistency consistency, Positions seen) {
    if (isRoots() && !hasCuts()) {
      return true;
    }
    return (isRoots() || suffices(consistency, seen)) && read.stream().allMatch(
        target -> target.start().equals(EntryId.ROOT)
            && has(map.ofContent(target.path()), target.path(), consistency, seen));
  }

  /**
   * The top directory of a partition is also an entry, which belongs to the group above. The group of the root asks all
   * groups on the way.
   */
  private boolean has(Partition partition, RnsPath path, Consistency consistency, Positions seen) {
    return partition.group() == group
        && (isRoots()
            ? partition.path().isRoot()
            : partition.path().depth() < path.depth() && leadsTo(partition, consistency, seen));
  }

  /**
   * The parts of a path to an entry that this server's group has, from the entry upward. An answer about the entry
   * depends on all of them, and on nothing else of other groups.
   *
   * @return empty if another group has the entry, or the content of its directory, if the path passes a group twice, or
   *         if it is not known of a group above up to which position the map has its changes
   */
  public Optional<List<GroupPath>> wayToOwn(RnsPath path) {
    List<GroupPath> way = new ArrayList<>();
    Set<Integer> groups = new HashSet<>();
    RnsPath end = path;
    for (Partition each : map.partitions().reversed()) {
      if (!each.path().contains(end)) {
        continue;
      }
      boolean isEntry = end.equals(each.path()) && !end.isRoot();
      boolean isKnown = way.isEmpty() ? each.group() == group : asOf.of(each.group()).isPresent();
      if (isEntry || !isKnown || !groups.add(each.group())) {
        return Optional.empty();
      }
      Anchors anchors = Anchors.of(each.group() == rootGroup());
      way.add(
          new GroupPath(
              each.group(), anchors.inner(each.root(), end.names().subList(each.path().depth(), end.depth()))));
      end = each.path();
    }
    return Optional.of(way);
  }

  private boolean suffices(Consistency consistency, Positions seen) {
    return switch (consistency) {
      case Consistency.Any any -> true;
      // How old the map is depends on the server that told it: perhaps a replica that lags. Such callers tell no
      // position, so that nobody knows whether it has what they wrote.
      case Consistency.Bounded bounded -> false;
      case Consistency.Primary primary -> false;
      case Consistency.Session session -> covers(seen);
    };
  }

  private boolean covers(Positions seen) {
    for (Position position : seen.each()) {
      // What lies in the parts of this group, it sees there itself.
      int other = position.group();
      if (other != group && asOf.of(other).isPresent() && !asOf.covers(seen.cutsOf(other).orElseThrow())) {
        return false;
      }
    }
    return true;
  }
}
