package io.rns.replication.moves;

import io.rns.replication.moves.GroupState.Answer;
import io.rns.replication.moves.GroupState.Departure;
import io.rns.replication.moves.GroupState.Next;
import io.rns.replication.moves.GroupState.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One history of moves between server groups, a function of its seed: steps, messages, failures and reads in any order.
 * A message may come twice, late, or never; a primary may be replaced between any two steps.
 */
final class MoveHistory {
  private static final int GROUPS = 3;
  private static final int ENTRIES = 5;
  private static final int STEPS = 300;
  private static final int REQUESTS = 12;
  private static final int READERS = 3;

  private final SplittableRandom random;
  private final Defect defect;
  /** All states of each group: replicas serve any of them. */
  private final List<List<GroupState>> states = new ArrayList<>();
  /** Counts the primaries of each group: what a former one does there no longer counts. */
  private final int[] primary = new int[GROUPS];
  private final List<Runnable> underway = new ArrayList<>();
  private final Map<Integer, List<Place>> truth = new HashMap<>();
  private final List<Reader> readers = new ArrayList<>();
  private final List<Request> requests = new ArrayList<>();
  /** Whether messages arrive, in the end. */
  private boolean healed;
  private int moved;
  private int refused;

  private record Place(int group, int directory, String name) {}

  /** A move that a client asks for, again and again. */
  private static final class Request {
    private final String id;
    private final int entry;
    private final int from;
    private final Place to;
    private @Nullable Boolean answer;

    Request(String id, int entry, int from, Place to) {
      this.id = id;
      this.entry = entry;
      this.from = from;
      this.to = to;
    }
  }

  /** A session: what it has seen of each group, and how far it must be in the history of each entry. */
  private static final class Reader {
    private final Map<Integer, Integer> seen = new HashMap<>();
    private final Map<Integer, Integer> reached = new TreeMap<>();
  }

  MoveHistory(long seed, Defect defect) {
    this.random = new SplittableRandom(seed);
    this.defect = defect;
    for (int group = 0; group < GROUPS; group++) {
      states.add(new ArrayList<>(List.of(GroupState.empty(group))));
    }
    for (int entry = 1; entry <= ENTRIES; entry++) {
      int group = random.nextInt(GROUPS);
      // The names that moves use, and others.
      String name = random.nextBoolean() ? name() : "e" + entry;
      name = now(group).find(GroupState.TOP, name).isPresent() ? "e" + entry : name;
      commit(now(group).add(entry, new Row(GroupState.TOP, name, entry % 2 == 0, false)));
      truth.put(entry, new ArrayList<>(List.of(new Place(group, GroupState.TOP, name))));
    }
    for (int i = 0; i < READERS; i++) {
      Reader reader = new Reader();
      states.forEach(all -> reader.seen.put(all.getLast().group(), all.getLast().position()));
      readers.add(reader);
    }
  }

  private String name() {
    return List.of("x", "y", "z").get(random.nextInt(3));
  }

  private GroupState now(int group) {
    return states.get(group).getLast();
  }

  private GroupState commit(GroupState next) {
    if (next.position() > now(next.group()).position()) {
      states.get(next.group()).add(next);
    }
    return next;
  }

  /** Runs it to its end, when all that was begun is ended. */
  MoveHistory run() {
    for (int step = 0; step < STEPS; step++) {
      act();
    }
    healed = true;
    for (int rounds = 0; rounds < 2; rounds++) {
      for (int group = 0; group < GROUPS; group++) {
        resume(group);
      }
      while (!underway.isEmpty()) {
        next().run();
      }
    }
    requests.forEach(this::checkAnswer);
    checkEnd();
    return this;
  }

  private Runnable next() {
    return underway.remove(random.nextInt(underway.size()));
  }

  private void act() {
    switch (random.nextInt(10)) {
      case 0 -> ask();
      case 1 -> primary[random.nextInt(GROUPS)]++;
      case 2 -> resume(random.nextInt(GROUPS));
      case 3, 4, 5 -> read(readers.get(random.nextInt(READERS)));
      default -> {
        if (!underway.isEmpty()) {
          next().run();
        }
      }
    }
  }

  /** A client asks for a move, or again for one; what it knows of the tree may be old. */
  private void ask() {
    if (requests.size() < REQUESTS && random.nextBoolean()) {
      int entry = 1 + random.nextInt(ENTRIES);
      List<Place> places = truth.get(entry);
      int from = places.get(random.nextInt(places.size())).group();
      int to = (from + 1 + random.nextInt(GROUPS - 1)) % GROUPS;
      int directory = random.nextInt(3) == 0 ? 2 * (1 + random.nextInt(ENTRIES / 2)) : GroupState.TOP;
      requests.add(new Request("client-" + requests.size(), entry, from, new Place(to, directory, name())));
    }
    if (!requests.isEmpty()) {
      Request request = requests.get(random.nextInt(requests.size()));
      int as = primary[request.from];
      send(() -> depart(request, as));
    }
  }

  /** A message: it may be lost, or come twice. */
  private void send(Runnable message) {
    if (healed) {
      underway.add(message);
      return;
    }
    for (int times = random.nextInt(8) == 0 ? 0 : random.nextInt(8) == 0 ? 2 : 1; times > 0; times--) {
      underway.add(message);
    }
  }

  private void depart(Request request, int as) {
    Place to = request.to;
    Next next = now(request.from).depart(request.id, request.entry, to.group(), to.directory(), to.name(), defect);
    commit(next.state());
    next.answer().departure().ifPresentOrElse(
        departure -> send(() -> arrive(departure, as, request)),
        () -> {
          if (now(request.from).answers().containsKey(request.id)) {
            answer(request, false);
          }
        });
  }

  /** A message may also come from a former primary. */
  private void arrive(Departure departure, int as, Request... request) {
    int before = now(departure.to()).position();
    Next next = now(departure.to()).arrive(departure, defect);
    commit(next.state());
    Answer answer = next.answer();
    if (answer.done() && next.state().position() > before) {
      truth.get(departure.entry()).add(new Place(departure.to(), departure.directory(), departure.name()));
      moved++;
    }
    refused += answer.done() ? 0 : 1;
    send(() -> conclude(departure, answer, as, request));
  }

  private void conclude(Departure departure, Answer arrived, int as, Request... request) {
    if (primary[departure.from()] != as) {
      return;
    }
    commit(now(departure.from()).conclude(departure, arrived, defect));
    for (Request each : request) {
      answer(each, arrived.done());
    }
  }

  private void answer(Request request, boolean done) {
    if (request.answer != null && request.answer != done) {
      throw new IllegalStateException(request.id + " was answered " + request.answer + ", and then " + done);
    }
    request.answer = done;
  }

  /** The primary of a group ends what was left. */
  private void resume(int group) {
    int as = primary[group];
    now(group).departures().values().forEach(departure -> underway.add(() -> arrive(departure, as)));
  }

  /** A read of one name at a replica that is as far as the session. */
  private void read(Reader reader) {
    int entry = 1 + random.nextInt(ENTRIES);
    List<Place> places = truth.get(entry);
    Place place = places.get(random.nextInt(places.size()));
    int least = reader.seen.getOrDefault(place.group(), 0);
    List<GroupState> all = states.get(place.group());
    GroupState state = all.get(least + random.nextInt(all.size() - least));
    var found = state.find(place.directory(), place.name());
    if (found.isPresent() && found.get().getValue().marked()) {
      return;
    }
    reader.seen.merge(place.group(), state.position(), Math::max);
    state.reflected().forEach((group, position) -> reader.seen.merge(group, position, Math::max));
    boolean isThere = found.isPresent() && found.get().getKey() == entry;
    int from = reader.reached.getOrDefault(entry, 0);
    for (int at = from; at < places.size(); at++) {
      if (places.get(at).equals(place) == isThere) {
        reader.reached.put(entry, at);
        return;
      }
    }
    throw new IllegalStateException(
        "a session that has seen " + entry + " at " + places.get(from) + (isThere ? " finds it at " : " misses it at ")
            + place + "; it was at " + places);
  }

  /** Asked once more, a request is answered as before, and moves nothing. */
  private void checkAnswer(Request request) {
    int before = moved;
    Next next = now(request.from)
        .depart(request.id, request.entry, request.to.group(), request.to.directory(), request.to.name(), defect);
    if (request.answer != null) {
      boolean done =
          next.answer().departure().map(departure -> now(departure.to()).arrive(departure, defect).answer().done())
              .orElse(false);
      answer(request, done);
    }
    if (moved != before) {
      throw new IllegalStateException(request.id + " moved again");
    }
  }

  /** Every entry is in one place, which is where it moved last, and hangs on the top. */
  private void checkEnd() {
    truth.forEach(
        (entry, places) -> {
          List<Integer> groups = new ArrayList<>();
          states.forEach(
              all -> {
                Row row = all.getLast().rows().get(entry);
                if (row != null) {
                  groups.add(all.getLast().group());
                  checkRow(entry, row, places.getLast(), all.getLast());
                }
              });
          if (groups.size() != 1) {
            throw new IllegalStateException(entry + " is in the groups " + groups + ", having been at " + places);
          }
          checkTraces(entry, groups.getFirst());
        });
    states.forEach(
        all -> {
          if (!all.getLast().departures().isEmpty()) {
            throw new IllegalStateException("still moving: " + all.getLast().departures());
          }
        });
  }

  private static void checkRow(int entry, Row row, Place last, GroupState state) {
    if (row.marked() || !last.equals(new Place(state.group(), row.directory(), row.name()))) {
      throw new IllegalStateException(entry + " is " + row + " in group " + state.group() + ", and moved to " + last);
    }
    for (int above : state.above(entry)) {
      if (!state.rows().containsKey(above)) {
        throw new IllegalStateException(entry + " is below " + above + ", which is not in group " + state.group());
      }
    }
  }

  /** An identity is found from every group that has had the entry. */
  private void checkTraces(int entry, int group) {
    for (GroupState start : states.stream().map(List::getLast).toList()) {
      Integer next = start.traces().get(entry);
      for (int hops = 0; next != null && next != group; hops++) {
        if (hops > GROUPS) {
          throw new IllegalStateException("the traces of " + entry + " lead in a circle");
        }
        next = now(next).traces().get(entry);
        if (next == null) {
          throw new IllegalStateException("a trace of " + entry + " ends before group " + group);
        }
      }
    }
  }

  /** Entries that another group has taken. */
  int moved() {
    return moved;
  }

  /** Entries that another group has not taken. */
  int refused() {
    return refused;
  }
}
