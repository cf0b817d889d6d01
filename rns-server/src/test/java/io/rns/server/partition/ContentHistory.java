package io.rns.server.partition;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.WriteRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.AccessPolicy;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.namespace.ContentMoveDefect;
import io.rns.server.namespace.SimulatedGroup;
import io.rns.server.namespace.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One history of a directory whose content moves between server groups while it is written and read, a function of its
 * seed: with crashes, failovers, servers that stand still, and messages that are lost, late, or come twice. In some
 * histories the content is divided: that of a directory inside moves, too.
 */
final class ContentHistory {
  private static final Duration ACTIVE = Duration.ofSeconds(10);
  private static final int QUIET_SECONDS = 150;
  private static final int CLIENTS = 3;
  private static final int OPERATORS = 2;
  private static final String SUBDIRECTORY = "/a/s";
  private static final List<String> PLACES = List.of("/a/x", "/a/y", "/a/z", "/a/s/x", "/a/s/y");
  private static final List<String> OUTSIDE = List.of("/out/x", "/out/y", "/out/s/x");
  private static final int HOPS = 8;

  private final SimulatedServers servers;
  private final SplittableRandom random;
  private final SimulatedTime time;
  private final List<SimulatedGroup> groups;
  private final ContentMoveDefect defect;
  private final boolean isDivided;
  /** The directories whose content moves, the one inside last. */
  private final List<EntryId> moving = new ArrayList<>();
  private final ContentModel model = new ContentModel();
  private final Map<String, Operation> operations = new HashMap<>();
  /** Whether the directory below has ever left the content. */
  private boolean left;
  private int waiting;
  private int writes;
  private int writesAtAnchors;
  private int reads;
  private int values;

  /** What a client asks for. */
  private static final class Operation {
    private final ContentModel.Write write;
    private final CallContext call;
    private @Nullable Boolean applied;
    private boolean refused;
    private @Nullable Outcome<Entry> answer;

    Operation(ContentModel.Write write, CallContext call) {
      this.write = write;
      this.call = call;
    }

    /** Whether it has to do with two directories that different groups may own. */
    boolean isOfTwo(boolean divided) {
      return write instanceof ContentModel.Move(String path, String to)
          && (isContent(path) != isContent(to) || (divided && isInside(path) != isInside(to)));
    }
  }

  private static boolean isContent(String path) {
    return path.startsWith(SimulatedServers.ROOT_OF_ALL + "/");
  }

  private static boolean isInside(String path) {
    return path.startsWith(SUBDIRECTORY + "/");
  }

  /** What a client has seen. */
  private static final class Session {
    private Positions seen = Positions.NONE;
    private final Map<String, Integer> reached = new HashMap<>();
  }

  /**
   * A history.
   *
   * @param divided whether the content of a directory inside moves, too; it keeps its name then
   */
  ContentHistory(long seed, ContentMoveDefect defect, boolean divided) {
    this.servers = new SimulatedServers(seed, defect, AccessPolicy.OPEN, this::applied);
    this.random = servers.random;
    this.time = servers.time;
    this.groups = servers.groups;
    this.defect = defect;
    this.isDivided = divided;
  }

  /** Runs it to its end, when nothing moves and nothing fails any more. */
  ContentHistory run() {
    try {
      time.start(servers.outside, this::begin);
      time.runFor(Duration.ofMillis(200));
      for (String path : isDivided
          ? List.of(SimulatedServers.ROOT_OF_ALL, SUBDIRECTORY)
          : List.of(SimulatedServers.ROOT_OF_ALL)) {
        moving.add(groups.getFirst().query(groups.getFirst().states() - 1, Target.of(path)).orThrow().id());
      }
      servers.begin(moving.getFirst());
      for (int i = 0; i < OPERATORS; i++) {
        time.start(servers.outside, this::operate);
      }
      for (int i = 0; i < CLIENTS; i++) {
        time.start(servers.outside, this::work);
      }
      time.runFor(ACTIVE);
      servers.heal();
      for (int rest = 0; rest < QUIET_SECONDS && !isQuiet(); rest++) {
        time.runFor(Duration.ofSeconds(1));
      }
      check();
      return this;
    } finally {
      time.close();
    }
  }

  private static IllegalStateException violated(String what) {
    return new IllegalStateException(what);
  }

  // ---- the beginning

  private void begin() {
    make(SimulatedServers.ROOT_OF_ALL);
    make("/out");
    if (isDivided || random.nextInt(4) > 0) {
      make(SUBDIRECTORY);
      for (String path : List.of("/a/x", "/a/s/y", "/out/x")) {
        if (random.nextBoolean()) {
          NewEntry entry = entry(Target.of(path), "first");
          Entry unused = added(AddRequest.of(entry));
          model.put(path, "first");
        }
      }
    }
  }

  private void make(String path) {
    Entry unused = added(AddRequest.of(NewEntry.directory(Target.of(path))));
    model.put(path, ContentModel.DIRECTORY);
  }

  private Entry added(AddRequest request) {
    return groups.getFirst().primary().write(CallContext.ANONYMOUS, request).value().getFirst().orThrow();
  }

  private static NewEntry entry(Target target, String value) {
    return new NewEntry(
        target, List.of(EndpointReference.ofAddress("urn:x")), Metadata.of(Map.of("v", value)), Precondition.IF_ABSENT);
  }

  // ---- operators

  private void operate() {
    waiting++;
    while (servers.isFaulty()) {
      EntryId of = isDivided ? moving.get(random.nextInt(moving.size())) : moving.getFirst();
      // Often to the root's group what is inside of content that another one has.
      int to = !of.equals(moving.getFirst()) && random.nextBoolean() ? 0 : random.nextInt(groups.size());
      boolean over = false;
      for (int tries = 0; !over && tries < 40; tries++) {
        try {
          over = servers.assign(of, servers.groupOfEntry(of), to);
        } catch (RnsException e) {
          over = e.error() != RnsError.UNAVAILABLE && e.error() != RnsError.BUSY && e.error() != RnsError.TIMEOUT
              && e.error() != RnsError.NOT_PRIMARY;
        }
        time.pause(servers.chance(10, 300));
      }
      time.pause(servers.chance(10, 800));
    }
    waiting--;
  }

  // ---- clients

  private void work() {
    waiting++;
    Session session = new Session();
    while (servers.isFaulty()) {
      if (random.nextBoolean()) {
        Operation operation = new Operation(
            write(), CallContext.ANONYMOUS.with(new RequestId("r" + operations.size())));
        operations.put(operation.call.requestId().orElseThrow().text(), operation);
        carryOut(operation, session);
      } else {
        read(session);
      }
      time.pause(servers.chance(1, 150));
    }
    waiting--;
  }

  private ContentModel.Write write() {
    String path = PLACES.get(random.nextInt(PLACES.size()));
    String value = "v" + values++;
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> new ContentModel.Add(path, value);
      case 4, 5 -> new ContentModel.Change(path, value);
      case 6, 7 -> new ContentModel.Remove(path);
      case 8, 9 -> new ContentModel.Move(path, PLACES.get(random.nextInt(PLACES.size())));
      case 10 -> random.nextBoolean()
          ? new ContentModel.Move(path, OUTSIDE.get(random.nextInt(OUTSIDE.size())))
          : new ContentModel.Move(OUTSIDE.get(random.nextInt(OUTSIDE.size())), path);
      // A path that is followed over groups step by step may lead to a directory that has another name by then.
      default -> isDivided
          ? new ContentModel.Change(path, value)
          : random.nextBoolean()
              ? new ContentModel.Move(SUBDIRECTORY, "/out/s")
              : new ContentModel.Move("/out/s", SUBDIRECTORY);
    };
  }

  private static WriteRequest request(ContentModel.Write write, Where where) {
    Target target = where.at(write.path());
    return switch (write) {
      case ContentModel.Add(String path, String value) -> AddRequest.of(entry(target, value));
      case ContentModel.Change(String path, String value) ->
        UpdateRequest.of(EntryChange.metadata(target, Metadata.of(Map.of("v", value))));
      case ContentModel.Remove(String path) -> RemoveRequest.of(Removal.of(target));
      case ContentModel.Move(String path, String to) ->
        UpdateRequest.of(
            EntryChange.move(target, where.at(ContentModel.parent(to)), EntryName.of(ContentModel.name(to))));
    };
  }

  private void carryOut(Operation operation, Session session) {
    Answer<Outcome<Entry>> answer = answered(operation);
    if (answer == null) {
      return;
    }
    writes++;
    operation.answer = answer.value();
    if (operation.applied == null) {
      throw violated(operation.write + " was answered " + answer.value() + ", and not applied");
    }
    if (operation.applied != answer.value() instanceof Outcome.Done<Entry>
        && !isLeftBehind(operation, answer.value())) {
      throw violated(operation.write + " was answered " + answer.value() + ", and applied " + operation.applied);
    }
    session.seen = session.seen.with(answer.positions());
  }

  /** Sends a write again and again until it is answered; null if that would be another one by now. */
  private @Nullable Answer<Outcome<Entry>> answered(Operation operation) {
    while (true) {
      try {
        return sent(operation);
      } catch (RnsException e) {
        if (e.error() != RnsError.UNAVAILABLE && e.error() != RnsError.TIMEOUT && e.error() != RnsError.NOT_PRIMARY
            && e.error() != RnsError.BUSY) {
          throw violated(operation.write + " fails: " + e.error() + " " + e.getMessage());
        }
        time.pause(servers.chance(1, 200));
      }
    }
  }

  /** Refusals do not move with the content, nor do answers about a directory that has left it. */
  private boolean isLeftBehind(Operation operation, Outcome<Entry> outcome) {
    return outcome instanceof Outcome.Refused<Entry> && (operation.refused || (left && mentions(operation.write)));
  }

  private static boolean mentions(ContentModel.Write write) {
    return write.path().startsWith(SUBDIRECTORY)
        || (write instanceof ContentModel.Move move && move.to().startsWith(SUBDIRECTORY));
  }

  /** Where a request goes first. */
  private Where first(String path) {
    PartitionTable table = servers.tables[random.nextInt(servers.tables.length)];
    for (Partition partition : table.map().partitions()) {
      int which = moving.indexOf(partition.root());
      String of = which == 0 ? SimulatedServers.ROOT_OF_ALL : SUBDIRECTORY;
      Where at = new Where(
          partition.group(), partition.root(), of,
          defect == ContentMoveDefect.NOTHING_REFLECTED ? Positions.NONE : table.changed());
      if (which >= 0 && at.has(path) && random.nextBoolean()) {
        return at;
      }
    }
    return Where.ROOT;
  }

  /**
   * Where content is.
   *
   * @param base what its path begins at there
   * @param path of the base
   * @param known what the map reflects that says so, and with it the answer
   */
  private record Where(int group, EntryId base, String path, Positions known) {
    private static final Where ROOT = new Where(0, EntryId.ROOT, "", Positions.NONE);

    boolean has(String below) {
      return below.startsWith(path + "/");
    }

    Target at(String below) {
      return below.equals(path) ? Target.of(base) : new Target(base, Target.of(below.substring(path.length())).path());
    }
  }

  private @Nullable Answer<Outcome<Entry>> sent(Operation operation) {
    Where at = operation.isOfTwo(isDivided) ? Where.ROOT : first(operation.write.path());
    for (int hop = 0; hop < HOPS; hop++) {
      Where now = at;
      Answer<List<Outcome<Entry>>> answer =
          servers.ask(at.group(), primary -> primary.write(operation.call, request(operation.write, now)));
      Optional<Where> next = next(at, answer.value().getFirst());
      if (next.isEmpty()) {
        return answer.map(List::getFirst);
      }
      at = next.get();
      if (operation.write instanceof ContentModel.Move(String path, String to) && !(at.has(path) && at.has(to))) {
        return null;
      }
      if (hop >= 2) {
        time.pause(servers.chance(1, 100));
      }
    }
    throw new RnsException(RnsError.UNAVAILABLE, "too many hops");
  }

  /** Where the content is that a group does not have; empty if it has answered. */
  private static Optional<Where> next(Where at, Outcome<Entry> outcome) {
    if (outcome instanceof Outcome.Refused<Entry>(Refusal.Delegated cut)) {
      String path = cut.depth() <= 0 ? at.path() : at.path() + cut.target().path().prefix(cut.depth());
      return Optional.of(new Where(cut.group(), cut.directory(), path, Positions.NONE));
    }
    // A group that has never heard of the directory.
    return outcome instanceof Outcome.Refused<Entry>(Refusal.NoSuchEntry missing) && missing.missing() == 0
        ? Optional.of(Where.ROOT)
        : Optional.empty();
  }

  /** A transaction has applied a write. */
  private void applied(int group, CallContext call, List<Outcome<Entry>> outcomes) {
    Operation operation = operations.get(call.requestId().orElseThrow().text());
    if (operation == null) {
      return;
    }
    boolean done = outcomes.getFirst() instanceof Outcome.Done<Entry>;
    boolean before = Boolean.TRUE.equals(operation.applied);
    if (done && before) {
      throw violated(operation.write + " is applied twice");
    }
    if (!before) {
      operation.applied = done;
    }
    operation.refused |= !done;
    left |= done && operation.write.path().equals(SUBDIRECTORY);
    boolean possible = before ? done : model.apply(operation.write);
    if (!before && possible != done) {
      throw violated(
          operation.write + " came to " + outcomes.getFirst() + ", the tree is " + model.below("") + ", the path had "
              + model.history(operation.write.path()));
    }
    for (EntryId each : moving) {
      if (servers.owners(each).size() > 1) {
        throw violated("the content of " + each + " belongs to the groups " + servers.owners(each));
      }
      SimulatedGroup first = groups.getFirst();
      writesAtAnchors += first.owns(each) && first.isAnchor(first.states() - 1, each) ? 1 : 0;
    }
  }

  private void read(Session session) {
    String path = random.nextInt(5) == 0
        ? OUTSIDE.get(random.nextInt(OUTSIDE.size()))
        : PLACES.get(random.nextInt(PLACES.size()));
    int before = session.reached.getOrDefault(path, 0);
    Where at = first(path);
    Positions seen = session.seen.with(at.known());
    for (int hop = 0; hop < HOPS; hop++) {
      SimulatedGroup group = groups.get(at.group());
      int oldest = group.oldest(session.seen);
      int state = hop >= 2 ? group.states() - 1 : oldest + random.nextInt(group.states() - oldest);
      seen = seen.with(group.position(state)).with(group.reflected(state).without(at.group()));
      Outcome<Entry> outcome = group.query(state, at.at(path));
      Optional<Where> next = next(at, outcome);
      if (next.isPresent()) {
        at = next.get();
        servers.travel();
        continue;
      }
      session.seen = seen;
      reads++;
      String value = outcome instanceof Outcome.Done<Entry>(Entry entry) ? value(entry) : null;
      int when = model.when(path, before, value);
      if (when < 0) {
        throw violated(
            "group " + at.group() + " shows " + value + " at " + path + ", which had " + model.history(path)
                + ", of which a session has seen " + before);
      }
      session.reached.merge(path, when, Math::max);
      return;
    }
  }

  private static @Nullable String value(Entry entry) {
    if (entry instanceof VirtualDirectory) {
      return ContentModel.DIRECTORY;
    }
    String xml = entry.metadata().xml();
    return xml.substring(xml.indexOf('>') + 1, xml.indexOf("</"));
  }

  // ---- the end

  private boolean isQuiet() {
    return waiting == 0 && moving.stream().allMatch(
        each -> servers.owners(each).size() == 1 && IntStream.range(0, groups.size())
            .allMatch(group -> mapped(group, each) == servers.owners(each).getFirst()));
  }

  /** The owner of a directory's content as a server of a group has it. */
  private int mapped(int group, EntryId of) {
    OptionalInt itself = servers.mapped(group, of);
    return itself.isPresent() || of.equals(moving.getFirst()) ? itself.orElse(0) : mapped(group, moving.getFirst());
  }

  private void check() {
    if (waiting > 0) {
      throw violated(
          waiting + " clients and operators still wait; rows " + servers.rows());
    }
    Map<String, String> found = new TreeMap<>();
    for (EntryId each : moving) {
      List<Integer> owners = servers.owners(each);
      if (owners.size() != 1) {
        throw violated("the content of " + each + " belongs to the groups " + owners + "; rows " + servers.rows());
      }
      String below =
          each.equals(moving.getFirst()) ? "" : SUBDIRECTORY.substring(SimulatedServers.ROOT_OF_ALL.length());
      // Of what is elsewhere a copy may be left.
      found.keySet().removeIf(path -> path.startsWith(below + "/"));
      groups.get(owners.getFirst()).content(each).forEach((path, entry) -> found.put(below + path, value(entry)));
      for (int group = 0; group < groups.size(); group++) {
        checkMap(group, each, owners.getFirst());
      }
    }
    Set<String> tops = new HashSet<>();
    groups.getFirst().content(EntryId.ROOT).keySet()
        .forEach(path -> tops.add(RnsPath.parse(path).names().getFirst().toString()));
    if (!tops.equals(Set.of("a", "out"))) {
      throw violated("the root shows " + tops);
    }
    if (!found.equals(model.below(SimulatedServers.ROOT_OF_ALL))) {
      throw violated(
          "there are " + found + ", and not " + model.below(SimulatedServers.ROOT_OF_ALL) + "; rows " + servers.rows());
    }
    waiting++;
    time.start(servers.outside, this::repeatAll);
    for (int rest = 0; rest < QUIET_SECONDS && waiting > 0; rest++) {
      time.runFor(Duration.ofSeconds(1));
    }
    if (waiting > 0) {
      throw violated("requests are not answered again");
    }
  }

  private void checkMap(int group, EntryId of, int owner) {
    if (mapped(group, of) != owner) {
      throw violated(
          "group " + group + " takes group " + mapped(group, of) + " for the owner of " + of + ", which is " + owner
              + "; " + servers.rows());
    }
    Set<Integer> asked = new HashSet<>();
    int at = group;
    for (OptionalInt next = groups.get(at).pointer(of); next.isPresent();) {
      if (!asked.add(at)) {
        throw violated("rows lead in a circle: " + servers.rows());
      }
      at = next.getAsInt();
      next = groups.get(at).pointer(of);
    }
  }

  /** All that was done is answered as before, and not done again. */
  private void repeatAll() {
    for (Operation operation : operations.values()) {
      if (operation.answer instanceof Outcome.Done<Entry> done && !operation.isOfTwo(isDivided)) {
        Answer<Outcome<Entry>> again = answered(operation);
        if (again == null || (!again.value().equals(done) && !isLeftBehind(operation, again.value()))) {
          throw violated(operation.write + " was answered " + done + ", and is now " + again);
        }
      }
    }
    waiting--;
  }

  int writes() {
    return writes;
  }

  /** Writes while the group of the root owned content of a directory whose entry another group had. */
  int writesAtAnchors() {
    return writesAtAnchors;
  }

  int reads() {
    return reads;
  }

  /** How often a group gave content back to get what is around it. */
  int takenBack() {
    return servers.takenBack();
  }

  /** How often content was moved to another group: all of it, and that of the directory inside. */
  List<Integer> moved() {
    return moving.stream().map(servers::moved).toList();
  }
}
