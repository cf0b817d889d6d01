package io.rns.server.partition;

import io.rns.api.Answer;
import io.rns.api.ArriveRequest;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.ConcludeRequest;
import io.rns.api.DepartRequest;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Refusal;
import io.rns.api.RequestId;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.GroupMoves;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.store.DepartureTable.Departure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves entries of this group to others, and takes those of others. The primary of the group that has an entry marks
 * it, asks the other group to take it, and ends the move as that has answered. Whatever is left undone, the primary
 * does again: the other group answers the same. Thread-safe.
 */
final class EntryMoves implements GroupMoves {
  private static final Logger LOG = LoggerFactory.getLogger(EntryMoves.class);

  private final int group;
  private final Supplier<@Nullable LocalNameService> copy;
  private final Primaries primaries;
  private final Set<EntryId> inHand = ConcurrentHashMap.newKeySet();
  /** Groups to which moves are being ended. */
  private final Set<Integer> resuming = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Position nothingLeftAt;

  /** The primaries of all groups, as servers reach them. */
  interface Primaries {
    /** Has the primary of a group move an entry, as {@link GroupMoves#move}. */
    Answer<Outcome<Entry>> move(CallContext call, int from, DepartRequest request);

    /** Has the primary of a group take an entry, as {@link EntryMoves#take}. */
    Answer<Outcome<Entry>> take(int to, ArriveRequest request);
  }

  /**
   * The moves of a server.
   *
   * @param group its group
   * @param copy the copy beside it, null while there is none
   */
  EntryMoves(int group, Supplier<@Nullable LocalNameService> copy, Primaries primaries) {
    this.group = group;
    this.copy = copy;
    this.primaries = primaries;
  }

  private Optional<LocalNameService> primary() {
    return Optional.ofNullable(copy.get()).filter(LocalNameService::isPrimary);
  }

  /**
   * The same, where nothing else will do.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY}
   */
  private LocalNameService ownPrimary() {
    return primary().orElseThrow(() -> new RnsException(RnsError.NOT_PRIMARY, "this server is not the primary"));
  }

  @Override
  public Answer<Outcome<Entry>> move(CallContext call, int from, DepartRequest request) {
    return from == group && primary().isPresent() ? moveHence(call, request) : primaries.move(call, from, request);
  }

  /**
   * Moves an entry of this group.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if this is not the primary
   */
  Answer<Outcome<Entry>> moveHence(CallContext call, DepartRequest request) {
    LocalNameService primary = ownPrimary();
    Answer<Outcome<Entry>> departed = primary.depart(call, request);
    if (!(departed.value() instanceof Outcome.Done<Entry>(Entry entry))) {
      return departed;
    }
    return finish(
        primary, request.group(),
        new ArriveRequest(
            entry, request.change().parent().orElseThrow(), departed.position(),
            departed.positions().without(group), call.caller()));
  }

  private Answer<Outcome<Entry>> finish(LocalNameService primary, int to, ArriveRequest arrival) {
    EntryId entry = arrival.entry().id();
    boolean first = inHand.add(entry);
    try {
      Answer<Outcome<Entry>> arrived = primaries.take(to, arrival);
      Optional<Position> there =
          arrived.value() instanceof Outcome.Done<Entry> ? Optional.of(arrived.position()) : Optional.empty();
      Answer<Outcome<Entry>> concluded =
          primary.conclude(new ConcludeRequest(entry, arrival.departed(), there, arrived.positions()));
      return new Answer.Served<>(
          arrived.value(), arrived.position(),
          arrived.positions().with(concluded.positions()).without(arrived.position().group()), 0);
    } finally {
      if (first) {
        inHand.remove(entry);
      }
    }
  }

  /**
   * Takes an entry that another group has marked, or refuses it.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if this is not the primary
   */
  Answer<Outcome<Entry>> take(ArriveRequest request) {
    Position departed = request.departed();
    // The group asks for itself, whoever asked it: the request names whose rights it needs.
    CallContext asking = new CallContext(Caller.SERVICE, Optional.of(new RequestId("move-" + departed)));
    return ownPrimary().arrive(asking, request);
  }

  /**
   * At the primary: ends the moves that others have left, or this server after a failure.
   *
   * @param executor runs them, those to one group one after the other: a group that does not answer delays no others
   */
  void resume(Executor executor) {
    LocalNameService primary = primary().orElse(null);
    if (primary == null || primary.position().equals(nothingLeftAt)) {
      return;
    }
    Position at = primary.position();
    Map<Integer, List<Departure>> left =
        primary.departures().stream().collect(Collectors.groupingBy(Departure::group));
    left.forEach((to, departures) -> {
      if (resuming.add(to)) {
        executor.execute(() -> resume(primary, to, departures));
      }
    });
    nothingLeftAt = left.isEmpty() ? at : null;
  }

  private void resume(LocalNameService primary, int to, List<Departure> departures) {
    try {
      departures.stream().filter(left -> !inHand.contains(left.entry())).forEach(left -> resume(primary, left));
    } finally {
      resuming.remove(to);
    }
  }

  private void resume(LocalNameService primary, Departure left) {
    try {
      Answer<Outcome<Entry>> moved = finish(primary, left.group(), left.arrival());
      LOG.info(
          "the move of {} to server group {} is {}", left.entry(), left.group(),
          moved.value() instanceof Outcome.Refused<Entry>(Refusal refusal) ? "undone: " + refusal.message() : "done");
    } catch (RnsException e) {
      LOG.info("the move of {} to server group {} waits: {}", left.entry(), left.group(), e.getMessage());
    }
  }
}
