package io.rns.server.partition;

import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Timing;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.namespace.ContentTarget;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.partition.AssignedJson.ProgressJson;
import io.rns.server.partition.RecordedMove.Reason;
import io.rns.server.partition.RemoteContent.ContentJson;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives directories to server groups, with their content if they have some. An assignment goes to the primary of the
 * group that has the directory's entry; content is moved by the primary of the group that owns it. Thread-safe.
 */
final class Assignments implements AutoCloseable {
  private static final Duration CHANGE = Duration.ofSeconds(30);
  /** Longer than a report takes to arrive, and a primary to begin to own a directory. */
  private static final Duration SERVED_WITHIN = Duration.ofSeconds(15);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final int group;
  private final Partitions partitions;
  private final Records records;
  private final ExecutorService movers = Executors.newVirtualThreadPerTaskExecutor();
  private final ContentMoves moves;

  /** Assignments at a server of a group. */
  Assignments(int group, Partitions partitions, Records records) {
    this.group = group;
    this.partitions = partitions;
    this.records = records;
    this.moves = new ContentMoves(
        group, Timing.system(), movers, (from, directory) -> askGiver(from, directory, group).isOver());
  }

  /**
   * Gives the content of a directory to a group. If that takes long, the answer says how far it is; asking again tells
   * more. If the group has the content, a move to another one is cancelled.
   *
   * @param directory by its path, or as another server passed it on
   * @param reason that is recorded, if the content moves
   * @param here only if this server is the primary of its group: another one takes it for that
   * @throws RnsException as the refusals of {@link LocalNameService#assign}; {@link RnsError#INVALID_REQUEST} if the
   *         group is not known; {@link RnsError#UNAVAILABLE}
   */
  AssignedJson assign(Target directory, int to, Reason reason, boolean here) {
    PartitionTable table = partitions.table();
    if (to != group) {
      checkReports(table, to);
    }
    String primary = directory.start().equals(EntryId.ROOT) && !table.isRoots()
        ? partitions.anyOf(table.rootGroup())
        : here ? "" : partitions.primary().orElse("");
    if (!primary.isEmpty()) {
      return ask(primary, directory, to, reason, table.isRoots());
    }
    if (!table.isRoots() || !directory.start().equals(EntryId.ROOT)) {
      return assign(directory, to, group);
    }
    partitions.refresh();
    int from = partitions.table().map().ofContent(directory.path()).group();
    return records.recorded(directory.path(), from, to, reason, giver -> assign(directory, to, giver));
  }

  /** @param giver the group that the content comes from, if it moves */
  private AssignedJson assign(Target directory, int to, int giver) {
    LocalNameService copy = partitions.copy();
    Optional<AssignedJson> kept = to == group ? kept(copy, directory, giver) : Optional.empty();
    if (kept.isPresent()) {
      return kept.get();
    }
    Outcome<Entry> outcome = copy.assign(CallContext.SERVICE, new AssignRequest(directory, to)).value();
    return switch (outcome) {
      case Outcome.Refused<Entry>(Refusal.Delegated cut) when cut.depth() < directory.path().depth() -> {
        RnsPath path = directory.path();
        Target rest = new Target(cut.directory(), RnsPath.of(path.names().subList(cut.depth(), path.depth())));
        AssignedJson assigned =
            naming("[" + rest.start() + "]", path.prefix(cut.depth()),
                () -> ask(partitions.anyOf(cut.group()), rest, to, Reason.ASSIGN, false));
        yield new AssignedJson(path, assigned.directory(), assigned.group(), assigned.epoch(), assigned.move());
      }
      case Outcome.Refused<Entry>(Refusal.Delegated cut) when cut.group() == to -> {
        ProgressJson stays = partitions.ask(
            "POST", primaryOf(to), "/keep?directory=" + cut.directory(), "", CHANGE, ProgressJson.class);
        yield stays.equals(ProgressJson.NONE)
            ? served(copy, directory, cut.directory(), to, null)
            : moved(copy, directory, cut.directory(), to, stays);
      }
      case Outcome.Refused<Entry>(Refusal.Delegated cut) -> {
        long version = copy.row(cut.directory()).version();
        ProgressJson moved = askGiver(cut.group(), directory, cut.directory(), to);
        if (moved.isOver() && to != group) {
          copy.point(cut.directory(), to, version);
        }
        yield moved(copy, directory, cut.directory(), to, moved);
      }
      case Outcome.Refused<Entry>(Refusal.NotEmpty content) -> {
        EntryId id =
            copy.query(CallContext.SERVICE, QueryRequest.of(directory)).value().getFirst().orThrow().id();
        yield moved(copy, directory, id, to, naming(id.toString(), directory.path(), () -> give(id, to)));
      }
      default -> served(copy, directory, outcome.orThrow().id(), to, null);
    };
  }

  /** A group that is out of reach may come back; one that is not known is a mistake. */
  static void checkReports(PartitionTable table, int to) {
    if (!table.servers().containsKey(to)) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "no server of server group " + to + " has reported; known are the groups " + table.servers().keySet());
    }
    if (table.living(to).isEmpty()) {
      throw new RnsException(RnsError.UNAVAILABLE, "no server of server group " + to + " has reported lately");
    }
  }

  /** The primary of a group, whose servers may have just started. */
  private String primaryOf(int of) {
    Timing timing = Timing.system();
    long since = timing.nanoTime();
    while (true) {
      try {
        return partitions.primaryOf(of);
      } catch (RnsException e) {
        if (timing.passed(SERVED_WITHIN, since)) {
          throw e;
        }
        timing.pause(PAUSE);
      }
    }
  }

  /** What is answered about a directory by those who do not know its path. */
  private static <T> T naming(String identity, RnsPath path, Supplier<T> question) {
    try {
      return question.get();
    } catch (RnsException e) {
      throw new RnsException(e.error(), String.valueOf(e.getMessage()).replace(identity, path.toString()), e);
    }
  }

  /**
   * The directory that this group has already; empty if it does not. A move from here is cancelled, and one to here has
   * ended since it was last asked for.
   */
  private Optional<AssignedJson> kept(LocalNameService copy, Target directory, int giver) {
    Outcome<Entry> found = copy.query(CallContext.SERVICE, QueryRequest.of(directory)).value().getFirst();
    if (!(found instanceof Outcome.Done<Entry>(VirtualDirectory entry)) || entry.isRoot()) {
      return Optional.empty();
    }
    EntryId id = entry.id();
    Optional<AssignedJson> cancelled =
        moves.cancel(id, () -> copy.row(id).owner()).map(move -> moved(copy, directory, id, group, move));
    if (cancelled.isPresent() || copy.row(id).owner().isPresent()) {
      return cancelled;
    }
    // Unless another server may be the primary by now.
    copy.checkLatest();
    return Optional.of(
        giver == group
            ? served(copy, directory, id, group, null)
            : moved(copy, directory, id, group, askGiver(giver, directory, id, group)));
  }

  private ProgressJson askGiver(int giver, Target directory, EntryId id, int to) {
    return naming(id.toString(), directory.path(), () -> askGiver(giver, id, to));
  }

  private ProgressJson askGiver(int giver, EntryId id, int to) {
    return partitions.ask(
        "POST", primaryOf(giver), "/give?directory=" + id + "&group=" + to, "", CHANGE, ProgressJson.class);
  }

  private static AssignedJson ofMove(Target directory, EntryId id, int to, ProgressJson move) {
    return new AssignedJson(directory.path(), id, to, 0, move);
  }

  private AssignedJson ask(String server, Target directory, int to, Reason reason, boolean here) {
    String start = directory.start().equals(EntryId.ROOT) ? "" : "&start=" + directory.start();
    String path = URLEncoder.encode(directory.path().toString(), StandardCharsets.UTF_8);
    return partitions.ask(
        "POST", server, "/assign?path=" + path + start + "&group=" + to + reason.parameters()
            + (here ? "&here=true" : ""),
        "", CHANGE,
        AssignedJson.class);
  }

  private AssignedJson moved(LocalNameService copy, Target directory, EntryId id, int to, ProgressJson move) {
    return move.isOver() ? served(copy, directory, id, to, move) : ofMove(directory, id, to, move);
  }

  private AssignedJson served(LocalNameService copy, Target directory, EntryId id, int to,
      @Nullable ProgressJson move) {
    awaitServed(directory, id, to);
    return new AssignedJson(directory.path(), id, to, copy.row(id).version(), move);
  }

  private void awaitServed(Target directory, EntryId id, int to) {
    Timing timing = Timing.system();
    long since = timing.nanoTime();
    while (true) {
      boolean late = timing.passed(SERVED_WITHIN, since);
      try {
        partitions.refresh();
        var unused = partitions.service().list(CallContext.SERVICE, ListRequest.of(directory)).value().orThrow();
        if (late || isMapped(id, to)) {
          return;
        }
      } catch (RnsException e) {
        if (late) {
          throw new RnsException(
              RnsError.UNAVAILABLE,
              directory + " belongs to server group " + to + " now, which does not serve it yet: " + e.getMessage(), e);
        }
      }
      timing.pause(PAUSE);
    }
  }

  private boolean isMapped(EntryId directory, int to) {
    return partitions.table().map().partitions().stream()
        .filter(partition -> partition.root().equals(directory))
        .map(Partition::group)
        .findFirst()
        .orElse(group) == to;
  }

  // ---- at the group whose content moves

  /** As {@link ContentMoves#give}, at the primary. */
  ProgressJson give(EntryId directory, int to) {
    LocalNameService copy = partitions.copy();
    copy.ownership(directory).checkArrived(directory);
    return moves.give(
        directory, to, () -> copy.row(directory).owner(),
        next -> copy.departing(
            directory, next, () -> partitions.content(primaryOf(next), directory), ContentMoves.KEPT_BYTES));
  }

  /**
   * As {@link ContentMoves#cancel}, at the primary; {@link ProgressJson#NONE} if the content does not move.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it has moved
   */
  ProgressJson keep(EntryId directory) {
    LocalNameService copy = partitions.copy();
    Optional<ProgressJson> cancelled = moves.cancel(directory, () -> copy.row(directory).owner());
    OptionalInt owner = copy.row(directory).owner();
    if (!copy.isPrimary() || (cancelled.isEmpty() && owner.isPresent())) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          owner.isPresent()
              ? directory + " has just moved to server group " + owner.getAsInt() + "; retry"
              : "this server is no longer the primary; retry");
    }
    return cancelled.orElse(ProgressJson.NONE);
  }

  /** At the primary: to whom this group gave the content of a directory, or from whom it takes that in. */
  OwnerJson owner(EntryId directory) {
    return OwnerJson.of(partitions.copy().ownership(directory));
  }

  // ---- at the group to which content moves

  /** At the primary: a step of taking in the content of a directory. */
  ContentJson content(EntryId directory, QueryParameters parameters, String body) {
    ContentTarget target = partitions.copy().arriving(directory, partitions::owner, partitions::replicaLagMillis);
    ContentJson answer = RemoteContent.answer(target, parameters, body);
    partitions.reportSoon();
    return answer;
  }

  @Override
  public void close() {
    var unused = movers.shutdownNow();
  }
}
