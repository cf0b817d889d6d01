package io.rns.replication.partition;

import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Refusal.Delegated;
import io.rns.api.Refusal.EntryExists;
import io.rns.api.Refusal.Invalid;
import io.rns.api.Refusal.IsDirectory;
import io.rns.api.Refusal.MoveIntoSelf;
import io.rns.api.Refusal.NoSuchEntry;
import io.rns.api.Refusal.NotApplied;
import io.rns.api.Refusal.NotDirectory;
import io.rns.api.Refusal.NotEmpty;
import io.rns.api.Refusal.RootIsFixed;
import io.rns.api.Refusal.VersionMismatch;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.api.HopStep;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Where what a target names is: the server group to ask, and how that group knows it.
 *
 * @param group the server group
 * @param target what the group is asked for
 * @param start what the caller calls the start directory of that target
 * @param isBehindCut whether the group owns the content of the start directory, whose entry belongs to another group
 */
record Place(int group, Target target, Target start, boolean isBehindCut) {
  /** At a group that is asked in the caller's words. */
  static Place asGiven(int group, Target target) {
    return new Place(group, target, Target.of(target.start()), false);
  }

  /**
   * Where a target of a call is, as far as this server knows without asking anybody.
   *
   * @param content whether the content of a directory is asked for, not its entry
   * @param byMap whether the map is recent enough for the call
   */
  static Place of(PartitionTable table, CallContext call, Target target, boolean content, boolean byMap) {
    return of(table, call, target, content, byMap, false);
  }

  /** The same for a directory that something moves to, whose own entry is not asked for. */
  static Place ofDestination(PartitionTable table, CallContext call, Target target, boolean byMap) {
    return of(table, call, target, true, byMap, true);
  }

  private static Place of(
      PartitionTable table, CallContext call, Target target, boolean content, boolean byMap, boolean destination) {
    if (target.start().equals(EntryId.ROOT)) {
      return table.isRoots()
          ? asGiven(table.group(), target)
          : ofPath(table, call, target, content, byMap, destination);
    }
    // The group that made an entry has it, or knows where it went; another one may have the content of a directory.
    int maker = target.start().group();
    boolean entry = target.path().isRoot() && call.hops() == 0;
    return asGiven(entry && table.knows(maker) ? maker : table.group(), target);
  }

  /** A path from the root, at a server of another group than that of the root. */
  private static Place ofPath(
      PartitionTable table, CallContext call, Target target, boolean content, boolean byMap, boolean destination) {
    RnsPath path = target.path();
    Partition partition = content ? table.map().ofContent(path) : table.map().ofEntry(path);
    boolean isOwn = partition.group() == table.group();
    boolean above = !byMap || (partition.path().depth() == path.depth() && !destination)
        || (isOwn && !table.leadsTo(partition, call));
    if (!above && isOwn) {
      return asGiven(table.group(), target).below(partition.root(), partition.group(), partition.path().depth());
    }
    // What was passed on already goes to who knows all paths.
    return asGiven(above || call.hops() > 0 ? table.rootGroup() : partition.group(), target);
  }

  /** How a server found this place by its map, for an explanation; empty if there was nothing to find. */
  Optional<HopStep> found(PartitionTable table, boolean content) {
    if (isBehindCut) {
      return Optional.of(new HopStep.Cut(start.path().depth(), group, true));
    }
    if (group == table.group() || !target.start().equals(EntryId.ROOT)) {
      return Optional.empty();
    }
    if (group == table.rootGroup()) {
      return Optional.of(new HopStep.Root(group));
    }
    Partition partition = content ? table.map().ofContent(target.path()) : table.map().ofEntry(target.path());
    return Optional.of(new HopStep.Cut(partition.path().depth(), group, true));
  }

  /** Adds to the explanation of a call that this place lies behind a cut, as an entry on the way says. */
  void explain(CallContext call) {
    if (isBehindCut) {
      call.explain(() -> new HopStep.Cut(start.path().depth(), group, false));
    }
  }

  /** The call for what is asked of this place, whose paths may begin at a depth of the caller's. */
  CallContext from(CallContext call) {
    return call.below(start.path().depth());
  }

  /**
   * The rest of the target's path, at the group that owns the content of a directory on the way.
   *
   * @param depth of the directory in the target's path
   */
  Place below(EntryId directory, int owner, int depth) {
    RnsPath path = target.path();
    RnsPath rest = RnsPath.of(path.names().subList(depth, path.depth()));
    return new Place(owner, new Target(directory, rest), called(path.prefix(depth)), true);
  }

  /** The same, as the group says that it is not its own. */
  Place below(Delegated refusal) {
    return refusal.depth() == Delegated.MOVED_AWAY
        ? asGiven(refusal.group(), target)
        : below(refusal.directory(), refusal.group(), refusal.depth());
  }

  /**
   * The same, below the last cut of the map, in the words of the group itself and not of any server. Where the map has
   * another directory than the one this place starts from, it says nothing of what is below.
   *
   * @param content whether the content of a directory is asked for, not its entry
   */
  Place behindCuts(PartitionMap map, boolean content) {
    Target called = called();
    if (!called.start().equals(EntryId.ROOT) || !map.ofContent(start.path()).root().equals(target.start())) {
      return this;
    }
    Partition partition = content ? map.ofContent(called.path()) : map.ofEntry(called.path());
    int depth = partition.path().depth();
    return depth > start.path().depth()
        ? asGiven(group, called).below(partition.root(), partition.group(), depth)
        : this;
  }

  private Target called(RnsPath below) {
    return new Target(start.start(), start.path().resolve(below));
  }

  /** What the caller calls the target. */
  Target called() {
    return called(target.path());
  }

  /** An entry of the directory that is here. */
  Place child(EntryName name) {
    return new Place(group, target.child(name), start, isBehindCut);
  }

  /** The directory of the entry that is here. */
  Place parent() {
    return new Place(group, new Target(target.start(), target.path().parent()), start, isBehindCut);
  }

  /** Where the content of the directory is that is here, after its group was asked for the directory. */
  <T> Place content(Outcome<T> directory) {
    return switch (directory) {
      case Outcome.Done<T>(VirtualDirectory found) when found.owner().isPresent() ->
        below(found.id(), found.owner().getAsInt(), target.path().depth());
      case Outcome.Refused<T>(Delegated refusal) -> below(refusal);
      default -> this;
    };
  }

  /**
   * A refusal of the group in the caller's words.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the group does not know yet that it owns the directory
   */
  Refusal told(Refusal refusal) {
    if (isBehindCut && lacksStart(refusal)) {
      throw new RnsException(
          RnsError.UNAVAILABLE, "server group " + group + " does not serve the content of " + start + " yet");
    }
    return isBehindCut ? retold(refusal) : refusal;
  }

  private Refusal retold(Refusal refusal) {
    // A refusal may be about the directory that something was to move to.
    int depth = refusal.target().start().equals(target.start()) ? start.path().depth() : 0;
    Target about = retold(refusal.target());
    return switch (refusal) {
      case NoSuchEntry r -> new NoSuchEntry(about, r.missing() + depth);
      case EntryExists r -> new EntryExists(about, retold(r.existing()));
      case NotDirectory r -> new NotDirectory(about, r.junction() + depth);
      case IsDirectory r -> new IsDirectory(about);
      case NotEmpty r -> new NotEmpty(about, r.entries());
      case VersionMismatch r -> new VersionMismatch(about, r.expected(), r.actual());
      case MoveIntoSelf r -> new MoveIntoSelf(about, retold(r.parent()));
      case Delegated r -> new Delegated(about, Math.max(r.depth(), 0) + depth, r.group(), r.directory());
      case RootIsFixed r -> new RootIsFixed(about);
      case NotApplied r -> new NotApplied(about);
      case Invalid r ->
        new Invalid(
            about, r.error(), r.message().replace("[" + target.start() + "]", start.toString().replaceFirst("/$", "")));
    };
  }

  private Target retold(Target about) {
    return about.start().equals(target.start())
        ? new Target(start.start(), start.path().resolve(about.path()))
        : about;
  }

  boolean lacksStart(Refusal refusal) {
    return refusal instanceof NoSuchEntry(Target about, int missing) && missing == 0 && about.equals(target);
  }

  /** The place to ask instead if the group does not have what was asked for; empty if its refusal is the answer. */
  Optional<Place> instead(PartitionTable table, Refusal refusal, boolean content) {
    if (refusal instanceof Delegated delegated && delegated.target().equals(target)
        && (content || delegated.depth() < target.path().depth())) {
      return Optional.of(below(delegated));
    }
    return Optional.empty();
  }

  /**
   * Whether an entry is no answer, but what a group has for the content of another group's directory.
   */
  boolean isAnchor(PartitionTable table, Entry entry) {
    return !target.start().equals(EntryId.ROOT) && target.path().isRoot() && !isBehindCut
        && Anchors.of(group == table.rootGroup()).isAnchor(entry);
  }

  /**
   * Where to look next for what the group does not have that was asked by its identity: where it was made, and since it
   * may have moved with the content of a directory, in all other groups that own some.
   *
   * @param asked the groups that do not have it
   */
  Optional<Place> elsewhere(PartitionTable table, Set<Integer> asked) {
    if (isBehindCut || target.start().equals(EntryId.ROOT)) {
      return Optional.empty();
    }
    return IntStream.concat(
        IntStream.of(target.start().group()).filter(table::knows),
        table.map().partitions().stream().mapToInt(Partition::group).sorted())
        .filter(candidate -> !asked.contains(candidate))
        .mapToObj(candidate -> asGiven(candidate, target))
        .findFirst();
  }

  /**
   * The entry of the directory whose content is behind the cut, from the group that has it.
   *
   * @param service that group
   */
  Outcome<VirtualDirectory> entry(NameService service, CallContext call) {
    Outcome<Entry> found =
        service.query(call.with(Routing.FORWARD), QueryRequest.of(called())).value().getFirst();
    return found.map(
        entry -> {
          if (entry instanceof VirtualDirectory directory) {
            return directory;
          }
          throw new RnsException(RnsError.UNAVAILABLE, called() + " has just been replaced; retry");
        });
  }

  /** A request for a subtree in the words of the group. */
  SubtreeRequest asked(SubtreeRequest request) {
    int depth = start.path().depth();
    return new SubtreeRequest(
        target, request.order(), request.depth(), request.filter(), request.pageSize(),
        request.after().map(position -> position.from(depth)));
  }

  /** A page of the group in the caller's words. */
  SubtreePage told(SubtreePage page) {
    if (!isBehindCut) {
      return page;
    }
    return new SubtreePage(
        page.entries().stream()
            .map(visit -> new Visit(start.path().resolve(visit.path()), visit.entry(), visit.depth(), visit.last()))
            .toList(),
        page.next().map(at -> at.below(start.path())),
        page.visited());
  }
}
