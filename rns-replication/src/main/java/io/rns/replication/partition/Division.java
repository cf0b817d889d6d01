package io.rns.replication.partition;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.DepartRequest;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RequestId;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One request whose items are divided among the server groups that own what they name. Belongs to one thread. */
final class Division<I> {
  private final NameService own;
  private final OtherGroups others;
  private final GroupMoves moves;
  private final PartitionTable table;
  private final CallContext call;
  private final Items<I> items;
  private final boolean byMap;
  private final boolean write;

  private final List<I> asked;
  private final List<Place> places = new ArrayList<>();
  private final List<@Nullable Outcome<Entry>> outcomes;
  /** Where items go that move, and those of them that go to another group than theirs. */
  private final Map<Integer, Place> destinations = new HashMap<>();
  private final SortedSet<Integer> leaving = new TreeSet<>();
  /** Directories that items go to, and where they are. */
  private final Map<Place, Place> followed = new HashMap<>();
  /** Of each group, the answer that was given first. */
  private final Map<Integer, Position> answered = new HashMap<>();
  /** Items that are done, and by which group. */
  private final Map<Integer, Integer> doneBy = new HashMap<>();
  /** By item, the groups that do not have where it begins. */
  private final Map<Integer, Set<Integer>> without = new HashMap<>();
  /** The same of the directory that it moves to. */
  private final Map<Integer, Set<Integer>> withoutDestination = new HashMap<>();
  private Positions positions;
  private @Nullable Position position;
  private long age;

  /**
   * A division.
   *
   * @param own the part of this server's group
   * @param write whether the request changes something
   */
  Division(
      NameService own, OtherGroups others, GroupMoves moves, PartitionTable table, CallContext call, Items<I> items,
      boolean write) {
    this.own = own;
    this.others = others;
    this.moves = moves;
    this.table = table;
    this.call = call;
    this.items = items;
    this.write = write;
    this.byMap = table.suffices(call);
    this.asked = new ArrayList<>(items.all());
    this.outcomes = new ArrayList<>(Collections.nCopies(asked.size(), null));
    this.positions = table.isRoots() ? Positions.NONE : table.changed();
    for (I item : asked) {
      places.add(Place.of(table, call, items.target().apply(item), items.content(), byMap));
    }
    if (call.explanation().isPresent() && !places.isEmpty()) {
      places.getFirst().found(table, items.content()).ifPresent(step -> call.explain(() -> step));
    }
  }

  /** Reads, or writes where no cut is known. */
  Answer<List<Outcome<Entry>>> answer() {
    List<Integer> mine = open().getOrDefault(table.group(), List.of());
    if (!mine.isEmpty()) {
      Answer<List<Outcome<Entry>>> answer = ask(own, call, mine);
      if (answer instanceof Answer.Referred<List<Outcome<Entry>>>) {
        return answer;
      }
      take(answer, mine);
      divideAgain();
    }
    int rounds = 0;
    for (Map<Integer, List<Integer>> open = open(); !open.isEmpty(); open = open()) {
      if (rounds++ > Limits.HOPS + table.servers().size()) {
        throw disagreeing(items.target().apply(items.all().getFirst()));
      }
      open.forEach((group, indices) -> askAll(group, indices));
      divideAgain();
    }
    leaving.forEach(this::move);
    List<Outcome<Entry>> all = outcomes.stream().map(Objects::requireNonNull).toList();
    Position of = position == null ? positions.each().getFirst() : position;
    return new Answer.Served<>(all, of, positions.without(of.group()), age);
  }

  /** Of a batch that is all or nothing, a group that has not all of it has applied nothing. */
  private void divideAgain() {
    if (items.together() && !open().isEmpty()) {
      Collections.fill(outcomes, null);
      divide(true);
    }
  }

  /** Whether a batch that is all or nothing may belong to several groups, although no cut is known. */
  boolean mayBeDivided() {
    return isIndivisible() && places.stream().mapToInt(Place::group).distinct().count() > 1;
  }

  /** Asks a group for items; also for those that it has done, by which it knows a part of the same request. */
  private void askAll(int group, List<Integer> indices) {
    SortedSet<Integer> all = new TreeSet<>(indices);
    if (write && call.requestId().isPresent()) {
      doneBy.forEach((i, by) -> {
        if (by == group) {
          all.add(i);
        }
      });
    }
    List<Integer> some = List.copyOf(all);
    try {
      take(ask(group, some), some);
    } catch (RnsException e) {
      if (e.error() != RnsError.REQUEST_ID_REUSED || answered.isEmpty()) {
        throw e;
      }
      // It has had another part of this request from another group.
      throw disagreeing(items.target().apply(items.all().get(indices.getFirst())));
    }
  }

  private static RnsException disagreeing(Target about) {
    return new RnsException(RnsError.UNAVAILABLE, "the server groups do not agree who owns " + about + "; retry");
  }

  private Answer<List<Outcome<Entry>>> ask(int group, List<Integer> indices) {
    return group == table.group()
        ? ask(own, call.with(Routing.FORWARD), indices)
        : others.ask(
            group, call,
            (service, there) -> ask(service, places.get(indices.getFirst()).from(repeatable(there)), indices));
  }

  /** The call at another group, where a write with an id can be repeated after a lost answer. */
  private CallContext repeatable(CallContext there) {
    return write && there.requestId().isEmpty() ? there.with(RequestId.random()) : there;
  }

  /** The items without an outcome, by the group that is to be asked. */
  private Map<Integer, List<Integer>> open() {
    Map<Integer, List<Integer>> open = new TreeMap<>();
    for (int i = 0; i < asked.size(); i++) {
      if (outcomes.get(i) == null && !leaving.contains(i)) {
        open.computeIfAbsent(places.get(i).group(), group -> new ArrayList<>()).add(i);
      }
    }
    return open;
  }

  private Answer<List<Outcome<Entry>>> ask(NameService service, CallContext as, List<Integer> indices) {
    return items.request().ask(
        service, as, indices.stream().map(i -> items.at().apply(asked.get(i), places.get(i).target())).toList());
  }

  private void take(Answer<List<Outcome<Entry>>> answer, List<Integer> indices) {
    List<Outcome<Entry>> given = answer.value();
    for (int n = 0; n < indices.size(); n++) {
      int i = indices.get(n);
      if (outcomes.get(i) != null) {
        continue;
      }
      Optional<Place> instead = instead(i, given.get(n));
      Optional<Place> destination = destinationInstead(i, given.get(n));
      if (instead.isPresent()) {
        places.set(i, instead.get());
        instead.get().explain(call);
        destination(i).ifPresent(to -> send(i, to));
      } else if (destination.isPresent()) {
        destinations.put(i, destination.get());
        leaving.add(i);
      } else {
        outcomes.set(i, told(i, given.get(n)));
        if (given.get(n) instanceof Outcome.Done<Entry>) {
          doneBy.put(i, places.get(i).group());
        }
        position = position == null ? answer.position() : position;
      }
    }
    positions = positions.with(answer.positions());
    answered.putIfAbsent(answer.position().group(), answer.position());
    age = Math.max(age, answer.ageMillis());
  }

  /** Where something goes whose place is another one than was known; empty if it goes nowhere. */
  private Optional<Place> destination(int i) {
    // If no cut was known, the request was not divided.
    return Optional.ofNullable(destinations.get(i))
        .or(() -> items.destination().apply(asked.get(i)).filter(to -> !isIndivisible()).map(this::destination));
  }

  private Place destination(Target directory) {
    Place known = Place.ofDestination(table, call, directory, byMap);
    return known.group() == table.group() ? contents(List.of(known)).getOrDefault(known.target(), known) : known;
  }

  /** Where something goes that goes to a directory of another group than was known; empty if that is no matter. */
  private Optional<Place> destinationInstead(int i, Outcome<Entry> given) {
    if (isIndivisible() || !(given instanceof Outcome.Refused<Entry>(Refusal refusal))
        || !isDestination(i, refusal.target())) {
      return Optional.empty();
    }
    Place place = destinations.getOrDefault(i, Place.asGiven(places.get(i).group(), refusal.target()));
    return refusal instanceof Refusal.Delegated cut
        ? Optional.of(place.below(cut))
        : place.lacksStart(refusal) ? elsewhere(place, withoutDestination, i) : Optional.empty();
  }

  /**
   * The next group to ask for what is named by its identity; empty if it may be in no other one.
   *
   * @param byItem the groups that do not have it, of each item; kept up to date
   */
  private Optional<Place> elsewhere(Place place, Map<Integer, Set<Integer>> byItem, int i) {
    if (call.hops() > 0) {
      return Optional.empty();
    }
    Set<Integer> groups = byItem.computeIfAbsent(i, item -> new HashSet<>());
    groups.add(place.group());
    return place.elsewhere(table, groups);
  }

  /** Whether several items are to be applied together, by one group. */
  private boolean isIndivisible() {
    return items.together() && asked.size() > 1;
  }

  private Optional<Place> instead(int i, Outcome<Entry> given) {
    Place place = places.get(i);
    boolean lacks = switch (given) {
      case Outcome.Done<Entry>(Entry entry) -> !items.content() && place.isAnchor(table, entry);
      case Outcome.Refused<Entry>(Refusal refusal) -> place.lacksStart(refusal);
    };
    if (lacks && call.hops() == 0) {
      return elsewhere(place, without, i);
    }
    return given instanceof Outcome.Refused<Entry>(Refusal refusal) && place.group() == table.group()
        ? place.instead(table, refusal, items.content())
        : Optional.empty();
  }

  private Outcome<Entry> told(int i, Outcome<Entry> outcome) {
    Place place = places.get(i);
    return switch (outcome) {
      case Outcome.Done<Entry>(VirtualDirectory content) when place.isBehindCut() && place.target().path().isRoot() ->
        place.entry(own, call).map(entry -> counted(entry, content.entries()));
      case Outcome.Done<Entry> done -> done;
      case Outcome.Refused<Entry>(Refusal.Delegated refusal) when isDestination(i, refusal.target()) ->
        Outcome.refused(acrossGroups(i, place.group(), refusal.group()));
      case Outcome.Refused<Entry>(Refusal refusal) -> Outcome.refused(place.told(refusal));
    };
  }

  private static Entry counted(VirtualDirectory entry, long entries) {
    return new VirtualDirectory(
        entry.place(), entry.id(), entry.version(), entry.created(), entry.modified(), entry.metadata(), entries,
        entry.owner());
  }

  private boolean isDestination(int i, Target target) {
    return items.destination().apply(asked.get(i)).filter(target::equals).isPresent();
  }

  private Refusal acrossGroups(int i, int from, int to) {
    Target target = items.target().apply(items.all().get(i));
    return new Refusal.Invalid(
        target, RnsError.DELEGATED,
        "cannot move " + target + " to " + items.destination().apply(items.all().get(i)).orElseThrow()
            + ": they belong to the server groups " + from + " and " + to);
  }

  /**
   * Finds the cuts on the way of all items before anything is changed: by every server alike, since a request id is
   * applied once in each group, and to the same items.
   */
  Division<I> divide() {
    return divide(false);
  }

  /** @param again whether the own group has said that it has not all of them */
  private Division<I> divide(boolean again) {
    locate(again);
    Map<Target, Place> directories = new LinkedHashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      Place place = places.get(i);
      if (!place.target().path().isRoot()) {
        directories.put(place.parent().target(), place.parent());
      }
      Optional<Target> to = items.destination().apply(asked.get(i));
      if (to.isPresent()) {
        Place destination = Place.ofDestination(table, call, to.get(), byMap);
        destinations.put(i, destination);
        directories.put(destination.target(), destination);
      }
    }
    directories.values().removeIf(place -> place.group() != table.group());
    Map<Target, Place> contents = contents(List.copyOf(directories.values()));
    contents.replaceAll((directory, content) -> withoutDetour(content));
    for (int i = 0; i < asked.size(); i++) {
      Place place = places.get(i);
      if (!place.target().path().isRoot()) {
        Place content = contents.get(place.parent().target());
        if (content != null && !content.equals(place.parent())) {
          content.explain(call);
        }
        places.set(i, content == null ? place : content.child(place.target().path().name()));
      }
      Place destination = destinations.get(i);
      if (destination != null) {
        send(i, contents.getOrDefault(destination.target(), destination));
      }
    }
    checkTogether();
    return this;
  }

  /**
   * Finds the groups of what is named by identities: a write goes to one group only.
   *
   * @param inOwn whether also of what the own group would have
   */
  private void locate(boolean inOwn) {
    if (call.hops() > 0) {
      return;
    }
    Map<Boolean, List<Integer>> byKind = new HashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      Place place = places.get(i);
      // The own group says itself that it has not got it.
      if (!place.target().start().equals(EntryId.ROOT) && !place.isBehindCut()
          && (inOwn || place.group() != table.group())) {
        byKind.computeIfAbsent(!place.target().path().isRoot(), content -> new ArrayList<>()).add(i);
      }
    }
    byKind.forEach((content, indices) -> locate(indices, content));
  }

  /**
   * The same for some items.
   *
   * @param content whether they are in the content of what is named by its identity, not that itself
   */
  private void locate(List<Integer> indices, boolean content) {
    List<Target> starts = indices.stream().map(i -> Target.of(places.get(i).target().start())).distinct().toList();
    Items<Target> queried =
        Items.of(
            starts, false, content, target -> target, (item, target) -> target,
            (service, as, some) -> service.query(as, new QueryRequest(some, content)));
    Division<Target> found = new Division<>(own, others, moves, table, call.with(Routing.FORWARD), queried, false);
    List<Outcome<Entry>> entries;
    try {
      entries = found.answer().value();
    } catch (RnsException e) {
      // One of them is moving at this moment: the write says so.
      return;
    }
    positions = positions.with(found.positions);
    for (int i : indices) {
      Target target = places.get(i).target();
      int start = starts.indexOf(Target.of(target.start()));
      if (entries.get(start) instanceof Outcome.Done<Entry>) {
        places.set(i, Place.asGiven(found.places.get(start).group(), target));
      }
    }
  }

  /** Where the content of directories of the own group is. */
  private Map<Target, Place> contents(List<Place> directories) {
    Map<Target, Place> contents = new HashMap<>();
    for (int from = 0; from < directories.size(); from += Limits.BATCH_ITEMS) {
      List<Place> some = directories.subList(from, Math.min(directories.size(), from + Limits.BATCH_ITEMS));
      // As of the answers so far, which may be of a primary that the copy here is behind.
      CallContext latest = answered.isEmpty() ? call : call.withSeen(call.seen().with(positions));
      Answer<List<Outcome<Entry>>> answer =
          own.query(latest.with(Routing.FORWARD), new QueryRequest(some.stream().map(Place::target).toList(), false));
      for (int i = 0; i < some.size(); i++) {
        contents.put(some.get(i).target(), some.get(i).content(answer.value().get(i)));
      }
      positions = positions.with(answer.positions());
    }
    return contents;
  }

  /**
   * The same place, of a path that leads out of a group and back: what a group has of the request it gets at once, by
   * one request id.
   */
  private Place withoutDetour(Place content) {
    if (!content.isBehindCut() || !table.leadsBack(content.called())) {
      return content;
    }
    return byMap ? content.behindCuts(table.map(), true) : followed(content);
  }

  private void send(int i, Place known) {
    Place place = places.get(i);
    Place destination = known.group() == place.group() ? known : followed.computeIfAbsent(known, this::followed);
    if (place.target().equals(Target.ROOT)) {
      outcomes.set(i, Outcome.refused(new Refusal.RootIsFixed(Target.ROOT)));
    } else if (destination.group() == place.group()) {
      destinations.put(i, destination);
      asked.set(i, items.to().apply(asked.get(i), destination.target()));
    } else if (isIndivisible()) {
      outcomes.set(i, Outcome.refused(acrossGroups(i, place.group(), destination.group())));
    } else {
      destinations.put(i, destination);
      leaving.add(i);
    }
  }

  /**
   * Where a directory is that a path from the root names, as the groups on the way say, if the map is too old for that:
   * it may be in the group of what moves to it.
   */
  private Place followed(Place directory) {
    Place at = directory;
    boolean further = !byMap && at.called().start().equals(EntryId.ROOT);
    for (int hops = 0; further && hops < Limits.HOPS; hops++) {
      Place next = at.content(ownAnswer(at));
      further = !next.equals(at);
      at = next;
    }
    return at;
  }

  /** What the group of a place itself has there. */
  private Outcome<Entry> ownAnswer(Place directory) {
    QueryRequest request = new QueryRequest(List.of(directory.target()), true);
    Answer<List<Outcome<Entry>>> answer =
        directory.group() == table.group()
            ? own.query(call.with(Routing.FORWARD), request)
            : others.ask(
                directory.group(), call,
                (service, there) -> service.query(directory.from(there).with(Routing.HERE), request));
    positions = positions.with(answer.positions());
    return answer.value().getFirst();
  }

  /** Moves an item to another group, after all others. */
  private void move(int i) {
    Place destination = behindCuts(Objects.requireNonNull(destinations.get(i)), true);
    places.set(i, behindCuts(places.get(i), false));
    checkAnswers(destination);
    // Each group may be asked for the entry and for the directory, before cuts on the way are known.
    int most = Limits.HOPS + 2 * table.servers().size();
    Map<DepartRequest, Integer> refused = new HashMap<>();
    for (int hops = 0; hops < most; hops++) {
      Place place = places.get(i);
      if (place.group() == destination.group()) {
        moveWithin(i, destination);
        if (outcomes.get(i) != null) {
          return;
        }
        // One of the two is elsewhere.
        destination = Objects.requireNonNull(destinations.get(i));
        continue;
      }
      DepartRequest request = departure(i, place, destination);
      Answer<Outcome<Entry>> answer = move(place.group(), request, refused.getOrDefault(request, 0));
      positions = positions.with(answer.positions());
      position = position == null ? answer.position() : position;
      if (!(answer.value() instanceof Outcome.Refused<Entry>(Refusal refusal))) {
        outcomes.set(i, answer.value());
        return;
      }
      if (refusal.target().equals(destination.target())) {
        int unused = refused.merge(request, 1, Integer::sum);
      }
      // The groups know later cuts than the map of this server.
      if (refusal instanceof Refusal.Delegated further && further.target().equals(place.target())) {
        places.set(i, place.below(further));
      } else if (refusal instanceof Refusal.Delegated further && further.target().equals(destination.target())) {
        destination = destination.below(further);
      } else {
        Optional<Place> instead =
            place.lacksStart(refusal) ? elsewhere(place, without, i) : Optional.empty();
        Optional<Place> destinationInstead =
            destination.lacksStart(refusal) ? elsewhere(destination, withoutDestination, i) : Optional.empty();
        if (instead.isEmpty() && destinationInstead.isEmpty()) {
          outcomes.set(i, Outcome.refused(told(i, place, destination, refusal)));
          return;
        }
        places.set(i, instead.orElse(place));
        destination = destinationInstead.orElse(destination);
      }
    }
    throw disagreeing(items.target().apply(items.all().get(i)));
  }

  /**
   * The same place below further cuts of the map, if that is recent enough. The group of the root has read in its own
   * copy up to where its part ends: there it may have another directory by now than an older map.
   */
  private Place behindCuts(Place place, boolean content) {
    if (table.isRoots() && !place.isBehindCut()) {
      return place;
    }
    if (byMap && (table.isRoots() || table.hasOwnCuts(call))) {
      return place.behindCuts(table.map(), content);
    }
    // The group that an older map names would take a path for one of its own words.
    return place.isBehindCut() || !place.target().start().equals(EntryId.ROOT)
        ? place
        : Place.asGiven(table.rootGroup(), place.target());
  }

  /** Readers of the entry would have to wait for a group that does not answer, so nothing begins then. */
  private void checkAnswers(Place destination) {
    if (destination.group() != table.group()) {
      QueryRequest directory = new QueryRequest(List.of(destination.target()), true);
      Answer<List<Outcome<Entry>>> unused =
          others.ask(
              destination.group(), call,
              (service, there) -> service.query(
                  there.with(Consistency.PRIMARY).with(Routing.FORWARD), directory));
    }
  }

  private DepartRequest departure(int i, Place place, Place destination) {
    I item = items.to().apply(items.all().get(i), destination.target());
    return new DepartRequest((EntryChange) items.at().apply(item, place.target()), destination.group());
  }

  /**
   * Moves an entry to another group.
   *
   * @param refused how often that group has refused it for this request: such an answer stays, though the directory may
   *        have come there since
   */
  private Answer<Outcome<Entry>> move(int from, DepartRequest request, int refused) {
    // The same part of the same request has the same id, whichever server divides it.
    String part =
        call.requestId().orElseGet(RequestId::random) + " " + request + (refused == 0 ? "" : " " + refused);
    RequestId id = new RequestId(UUID.nameUUIDFromBytes(part.getBytes(StandardCharsets.UTF_8)).toString());
    return moves.move(call.with(id), from, request);
  }

  private void moveWithin(int i, Place destination) {
    asked.set(i, items.to().apply(items.all().get(i), destination.target()));
    destinations.put(i, destination);
    List<Integer> one = List.of(i);
    askAll(destination.group(), one);
  }

  private Refusal told(int i, Place place, Place destination, Refusal refusal) {
    if (!refusal.target().equals(destination.target())) {
      return place.told(refusal);
    }
    EntryChange change = (EntryChange) items.all().get(i);
    return refusal instanceof Refusal.EntryExists(Target about, Target existing)
        ? new Refusal.EntryExists(change.target(), change.destination(binding(existing)))
        : destination.told(refusal);
  }

  private static Entry.Binding binding(Target entry) {
    return new Entry.Binding(entry.start(), entry.path().name());
  }

  /** Whether a group was read before something that the answer of another one reflects. */
  boolean isTorn() {
    return answered.values().stream()
        .anyMatch(at -> !at.covers(positions.of(at.group()).orElse(at)));
  }

  /** Refuses a batch that is all or nothing, if its items belong to several groups or one is refused already. */
  private void checkTogether() {
    int first = places.getFirst().group();
    int other = 0;
    while (other < asked.size() && places.get(other).group() == first && outcomes.get(other) == null) {
      other++;
    }
    if (!items.together() || other == asked.size()) {
      return;
    }
    for (int i = 0; i < asked.size(); i++) {
      Target target = items.target().apply(items.all().get(i));
      if (i != other) {
        outcomes.set(i, Outcome.refused(new Refusal.NotApplied(target)));
      } else if (outcomes.get(i) == null) {
        outcomes.set(i, Outcome.refused(new Refusal.Invalid(
            target, RnsError.DELEGATED,
            target + " belongs to server group " + places.get(i).group() + ", and "
                + items.target().apply(items.all().getFirst()) + " to group " + first
                + "; a batch that is all or nothing cannot span both")));
      }
    }
  }
}
