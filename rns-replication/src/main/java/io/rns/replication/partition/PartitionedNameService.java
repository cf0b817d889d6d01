package io.rns.replication.partition;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RemoveRequest;
import io.rns.api.Routing;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.UpdateRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The whole tree as a server of any group gives it: what belongs to its own group from there, everything else from the
 * group that owns it.
 *
 * <p>The own group refuses what lies behind a cut ({@link Refusal.Delegated}) and says who owns that; the rest of the
 * path goes there. A server whose group does not own the root finds its own part of a path by its copy of the map, if
 * that is recent enough for the call, and otherwise asks the group of the root. A batch is divided by group.
 */
public final class PartitionedNameService implements NameService {
  /** Reads of several groups as of one moment: entries move all the time between busy ones. */
  private static final int READS = 4;

  private final NameService own;
  private final Supplier<PartitionTable> partitions;
  private final OtherGroups others;
  private final GroupMoves moves;

  /**
   * A service.
   *
   * @param own the part of this server's group
   * @param partitions what is known of the partitions; must cost little
   * @param others the other groups, which this service closes
   * @param moves moves entries from one group to another
   */
  public PartitionedNameService(
      NameService own, Supplier<PartitionTable> partitions, OtherGroups others, GroupMoves moves) {
    this.own = own;
    this.partitions = partitions;
    this.others = others;
    this.moves = moves;
  }

  // ---- batches

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    Items<NewEntry> items = Items.of(
        request.entries(), request.allOrNothing(), false, NewEntry::target,
        (item, target) -> new NewEntry(target, item.references(), item.metadata(), item.precondition()),
        (service, as, some) -> service.add(as, new AddRequest(some, request.parents(), request.allOrNothing())));
    return write(call, items);
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    Items<EntryChange> items = new Items<>(
        request.changes(), request.allOrNothing(), false, EntryChange::target,
        (item, target) -> new EntryChange(
            target, item.name(), item.parent(), item.references(), item.metadata(), item.precondition()),
        EntryChange::parent,
        (item, parent) -> new EntryChange(
            item.target(), item.name(), Optional.of(parent), item.references(), item.metadata(), item.precondition()),
        (service, as, some) -> service.update(as, new UpdateRequest(some, request.allOrNothing())));
    return write(call, items);
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    Items<Removal> items = Items.of(
        request.removals(), request.allOrNothing(), false, Removal::target,
        (item, target) -> new Removal(target, item.recursive(), item.precondition()),
        (service, as, some) -> service.remove(as, new RemoveRequest(some, request.allOrNothing())));
    return write(call, items);
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    Items<Target> items = Items.of(
        request.targets(), false, request.counts(), target -> target, (item, target) -> target,
        (service, as, some) -> service.query(as, new QueryRequest(some, request.counts())));
    if (call.routing() == Routing.HERE) {
      return own.query(call, request);
    }
    CallContext as = call;
    for (int reads = 1;; reads++) {
      Division<Target> division = new Division<>(own, others, moves, partitions.get(), as, items, false);
      Answer<List<Outcome<Entry>>> answer = division.answer();
      if (!division.isTorn()) {
        return answer;
      }
      // A group was read before an entry came or went that another one has shown after that.
      if (reads == READS) {
        if (toleratesOld(call.consistency())) {
          return answer;
        }
        throw new RnsException(
            RnsError.UNAVAILABLE,
            "entries moved between server groups during each of " + READS + " reads of this batch; retry");
      }
      as = call.withSeen(call.seen().with(answer.positions()));
    }
  }

  /** Whether groups may show states of different times: replicas that lag do so each time they are asked. */
  private static boolean toleratesOld(Consistency consistency) {
    return switch (consistency) {
      case Consistency.Any any -> true;
      case Consistency.Bounded bounded -> true;
      case Consistency.Session session -> false;
      case Consistency.Primary primary -> false;
    };
  }

  private <I> Answer<List<Outcome<Entry>>> write(CallContext call, Items<I> items) {
    if (call.routing() == Routing.HERE) {
      return items.request().ask(own, call, items.all());
    }
    PartitionTable table = partitions.get();
    Division<I> division = new Division<>(own, others, moves, table, call, items, true);
    return (table.hasCuts() || division.mayBeDivided() ? division.divide() : division).answer();
  }

  // ---- reads of one directory

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    if (call.routing() == Routing.HERE) {
      return own.list(call, request);
    }
    PartitionTable table = partitions.get();
    Place place = Place.of(table, call, request.directory(), true, table.suffices(call));
    if (call.explanation().isPresent()) {
      place.found(table, true).ifPresent(step -> call.explain(() -> step));
    }
    Positions seen = table.isRoots() ? Positions.NONE : table.changed();
    boolean askedOwn = place.group() == table.group();
    if (askedOwn) {
      Answer<Outcome<Page>> answer = list(own, table, call, request, place);
      Optional<Place> instead =
          answer instanceof Answer.Served<Outcome<Page>> ? instead(table, call, place, answer) : Optional.empty();
      if (instead.isEmpty()) {
        return answer instanceof Answer.Served<Outcome<Page>> served ? reflecting(served, seen) : answer;
      }
      place = instead.get();
      place.explain(call);
      seen = seen.with(answer.positions());
    }
    Answer<Outcome<Page>> answer =
        searched(
            table, call, place, askedOwn,
            at -> at.group() == table.group()
                ? list(own, table, call.with(Routing.FORWARD), request, at)
                : others.ask(at.group(), call, (service, there) -> list(service, table, at.from(there), request, at)));
    return reflecting(
        new Answer.Served<>(answer.value(), answer.position(), answer.positions(), answer.ageMillis()), seen);
  }

  private Answer<Outcome<Page>> list(
      NameService service, PartitionTable table, CallContext call, ListRequest request, Place place) {
    ListRequest there = new ListRequest(place.target(), request.pageSize(), request.cursor(), request.pattern());
    return service.list(call, there).map(outcome -> switch (outcome) {
      case Outcome.Done<Page>(Page page) when place.isBehindCut() && place.target().path().isRoot() ->
        place.entry(own, call).map(entry -> new Page(entry, page.entries(), page.next()));
      case Outcome.Done<Page> done -> done;
      case Outcome.Refused<Page>(Refusal refusal) -> Outcome.refused(
          place.instead(table, refusal, true).isPresent() ? refusal : place.told(refusal));
    });
  }

  /** Where to ask if the own group does not have it. */
  private static <A> Optional<Place> instead(
      PartitionTable table, CallContext call, Place place, Answer<Outcome<A>> answer) {
    if (!(answer.value() instanceof Outcome.Refused<A>(Refusal refusal))) {
      return Optional.empty();
    }
    return place.lacksStart(refusal) && call.hops() == 0
        ? place.elsewhere(table, Set.of(place.group()))
        : place.instead(table, refusal, true);
  }

  /** Asks other groups, one after the other if it is not known which of them has what is named by its identity. */
  private static <A, T extends Answer<Outcome<A>>> T searched(
      PartitionTable table, CallContext call, Place first, boolean askedOwn, Function<Place, T> question) {
    Set<Integer> asked = askedOwn ? new HashSet<>(Set.of(table.group())) : new HashSet<>();
    Optional<Place> at = Optional.of(first);
    while (true) {
      Place place = at.orElseThrow();
      T answer = question.apply(place);
      asked.add(place.group());
      boolean lacks = answer.value() instanceof Outcome.Refused<A>(Refusal refusal) && place.lacksStart(refusal);
      at = lacks && call.hops() == 0 ? place.elsewhere(table, asked) : Optional.empty();
      if (at.isEmpty()) {
        return answer;
      }
    }
  }

  private static <A> Answer.Served<A> reflecting(Answer.Served<A> answer, Positions others) {
    return new Answer.Served<>(
        answer.value(), answer.position(), answer.others().with(others.without(answer.position().group())),
        answer.ageMillis());
  }

  // ---- subtrees

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    if (call.routing() == Routing.HERE) {
      return own.subtree(call, request);
    }
    PartitionTable table = partitions.get();
    Place place = Place.of(table, call, request.directory(), true, table.suffices(call));
    Positions seen = table.isRoots() ? Positions.NONE : table.changed();
    boolean askedOwn = place.group() == table.group();
    if (askedOwn) {
      SubtreeRequest asked = place.asked(request);
      Answer<Outcome<SubtreePage>> answer = own.subtree(call, asked);
      if (!(answer instanceof Answer.Served<Outcome<SubtreePage>> served)) {
        return answer;
      }
      Optional<Place> instead = instead(table, call, place, answer);
      if (instead.isEmpty()) {
        Answer.Served<Outcome<SubtreePage>> page =
            SubtreeCut.of(asked, served.value())
                .map(cut -> behind(call, cut, served.positions()))
                .orElse(served);
        return reflecting(told(place, page), seen);
      }
      place = instead.get();
      seen = seen.with(answer.positions());
    }
    List<Announcement> servers = table.living(place.group());
    if (table.isRoots() && call.routing() == Routing.REFER && call.hops() == 0 && !servers.isEmpty()) {
      // Many megabytes are not passed on if the caller can go there. Only the group of the root refers: another one may
      // not know yet that the path is its own, and would refer back.
      return new Answer.Referred<>(
          servers.getFirst().url(), "the directory belongs to server group " + place.group());
    }
    return reflecting(
        searched(
            table, call, place, askedOwn,
            at -> told(
                at,
                at.group() == table.group()
                    ? served(own.subtree(call.with(Routing.FORWARD), at.asked(request)))
                    : elsewhere(call, at.group(), at.asked(request)))),
        seen);
  }

  /** The page below a cut, from the group that owns what is there. */
  private Answer.Served<Outcome<SubtreePage>> behind(CallContext call, SubtreeCut cut, Positions seen) {
    return reflecting(elsewhere(call, cut.owner(), cut.request()).map(cut::told), seen);
  }

  private Answer.Served<Outcome<SubtreePage>> elsewhere(CallContext call, int group, SubtreeRequest request) {
    return served(others.ask(group, call, (service, there) -> service.subtree(there, request)));
  }

  private static <A> Answer.Served<A> served(Answer<A> answer) {
    return switch (answer) {
      case Answer.Served<A> served -> served;
      case Answer.Referred<A> referral -> throw referral.toException();
    };
  }

  private static Answer.Served<Outcome<SubtreePage>> told(Place place, Answer.Served<Outcome<SubtreePage>> answer) {
    return answer.map(outcome -> switch (outcome) {
      case Outcome.Done<SubtreePage>(SubtreePage page) -> Outcome.done(place.told(page));
      case Outcome.Refused<SubtreePage>(Refusal refusal) -> Outcome.refused(place.told(refusal));
    });
  }

  @Override
  public void close() {
    others.close();
    own.close();
  }
}
