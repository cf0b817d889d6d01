package io.rns.server.partition;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Precondition;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.WriteRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.namespace.ContentMoveDefect;
import io.rns.server.namespace.SimulatedGroup;
import io.rns.server.namespace.SimulatedTime;
import io.rns.server.partition.AccessTree.Directory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * One history of what callers may do in a tree of closed server groups, a function of its seed: directories are made,
 * renamed and moved, rules set, directories assigned to groups, inside assigned ones too, and content moves between
 * groups, while servers crash, stand still, take over and know old maps.
 *
 * <p>What a server permits follows from its state and from the map that it knows, and what either has of the rules is
 * what clients have set as of then: no more, and no less.
 */
final class AccessHistory {
  private static final Duration ACTIVE = Duration.ofSeconds(10);
  private static final int QUIET_SECONDS = 150;
  private static final int CLIENTS = 4;
  private static final int DIRECTORIES = 12;
  private static final List<String> ABOVE = List.of("/p", "/p/q", "/o");

  private static final Caller ALICE = new Caller("local:alice", Set.of("/a", "/b"));
  private static final Caller BOB = new Caller("local:bob", Set.of("/b"));
  private static final Caller LIMITED =
      new Caller(
          "local:alice", Set.of("/a"),
          List.of(Set.of(new Scope(RnsPath.parse("/p"), EnumSet.complementOf(EnumSet.of(Right.REMOVE))))));
  private static final List<Caller> CALLERS = List.of(ALICE, BOB, LIMITED, Caller.ANONYMOUS);
  private static final List<String> SUBJECTS =
      List.of("local:alice", "local:bob", "group:/a", "group:/b", "authenticated", "anyone");

  /** How a group refuses what it does not have. */
  private static final Set<RnsError> ELSEWHERE =
      EnumSet.of(RnsError.DELEGATED, RnsError.NO_SUCH_ENTRY, RnsError.NOT_PERMITTED, RnsError.NOT_AUTHENTICATED);

  private final SimulatedServers servers;
  private final SplittableRandom random;
  private final SimulatedTime time;
  private final List<SimulatedGroup> groups;
  /** The tree after each write, whichever group has applied it. */
  private final List<AccessTree> trees = new ArrayList<>();
  /** The last tree, by its place, that each state of each group has its part of. */
  private final List<List<Integer>> known = new ArrayList<>();
  private final Map<String, Sent> sent = new HashMap<>();
  private int waiting;
  private int writes;
  private int permitted;
  private int refused;
  private int belowCuts;
  private long cutsInside;

  /** A request of a caller; which directory it makes, changes or removes. */
  private record Sent(Caller caller, WriteRequest request, EntryId directory) {}

  AccessHistory(long seed) {
    AccessPolicy closed = new AccessPolicy(AccessMode.CLOSED, Set.of());
    servers = new SimulatedServers(seed, ContentMoveDefect.NONE, closed, this::applied);
    random = servers.random;
    time = servers.time;
    groups = servers.groups;
    trees.add(
        new AccessTree(
            Map.of(EntryId.ROOT, new Directory(EntryId.ROOT, EntryId.ROOT, EntryName.of("root"), AccessRules.NONE))));
    groups.forEach(group -> known.add(new ArrayList<>()));
  }

  /** Runs it to its end, when nothing moves and nothing fails any more. */
  AccessHistory run() {
    try {
      time.start(servers.outside, this::begin);
      time.runFor(Duration.ofMillis(400));
      servers.begin(directory("q").id());
      time.start(servers.outside, this::operate);
      time.start(servers.outside, this::divide);
      time.start(servers.outside, this::inspect);
      for (int i = 0; i < CLIENTS; i++) {
        time.start(servers.outside, this::work);
      }
      time.runFor(ACTIVE);
      servers.heal();
      for (int rest = 0; rest < QUIET_SECONDS && !isQuiet(); rest++) {
        time.runFor(Duration.ofSeconds(1));
      }
      if (!isQuiet()) {
        throw violated(waiting + " clients and operators still wait, or servers know old maps: " + servers.rows());
      }
      checkAll();
      return this;
    } finally {
      time.close();
    }
  }

  private static IllegalStateException violated(String what) {
    return new IllegalStateException(what);
  }

  private AccessTree now() {
    return trees.getLast();
  }

  private Directory directory(String name) {
    return now().directories().values().stream().filter(each -> each.name().equals(EntryName.of(name))).findFirst()
        .orElseThrow();
  }

  // ---- the beginning

  private void begin() {
    send(Caller.SERVICE, rules(EntryId.ROOT, Optional.empty(), true), EntryId.ROOT);
    for (String path : ABOVE) {
      send(Caller.SERVICE, AddRequest.of(entry(Target.of(path))), EntryId.ROOT);
    }
    // An empty directory is assigned otherwise than one with content.
    if (random.nextBoolean()) {
      send(Caller.SERVICE, AddRequest.of(entry(Target.of("/p/q/r"))), EntryId.ROOT);
    }
  }

  private NewEntry entry(Target target) {
    Metadata metadata = Metadata.NONE.with(new AccessRules(randomOwner(), randomRules(false)));
    return new NewEntry(target, List.of(), metadata, Precondition.IF_ABSENT);
  }

  private Optional<String> randomOwner() {
    return random.nextInt(4) == 0 ? Optional.of(CALLERS.get(random.nextInt(2)).name()) : Optional.empty();
  }

  private Optional<List<AccessRule>> randomRules(boolean own) {
    if (!own && random.nextInt(3) > 0) {
      return Optional.empty();
    }
    List<AccessRule> rules = new ArrayList<>();
    for (String subject : SUBJECTS) {
      Set<Right> rights = EnumSet.noneOf(Right.class);
      for (Right right : Right.values()) {
        int seldom = right == Right.ADMIN ? 10 : right == Right.READ ? 2 : 3;
        if (random.nextInt(seldom) == 0) {
          rights.add(right);
        }
      }
      if (!rights.isEmpty() && random.nextInt(2) == 0) {
        rules.add(new AccessRule(subject, rights));
      }
    }
    return Optional.of(rules);
  }

  private UpdateRequest rules(EntryId directory, Optional<String> owner, boolean own) {
    AccessRules access = new AccessRules(owner, randomRules(own));
    Metadata metadata =
        access.isNone() ? Metadata.parse("<access xmlns=\"urn:rns:ext:1\"/>") : Metadata.NONE.with(access);
    return UpdateRequest.of(EntryChange.metadata(Target.of(directory), metadata));
  }

  // ---- operators

  private void operate() {
    waiting++;
    while (servers.isFaulty()) {
      int to = random.nextInt(groups.size());
      boolean over = false;
      for (int tries = 0; !over && tries < 10; tries++) {
        try {
          over = servers.assign(to);
        } catch (RnsException e) {
          over = e.error() != RnsError.UNAVAILABLE && e.error() != RnsError.BUSY && e.error() != RnsError.TIMEOUT
              && e.error() != RnsError.NOT_PRIMARY;
        }
        time.pause(servers.chance(10, 200));
      }
    }
    waiting--;
  }

  private void divide() {
    waiting++;
    while (servers.isFaulty()) {
      try {
        assignInside();
      } catch (RnsException e) {
        // Another time.
      }
      time.pause(servers.chance(50, 500));
    }
    waiting--;
  }

  /**
   * A directory goes to another group, empty or with its content, and perhaps back: inside of one that is assigned, or
   * about to be, too.
   */
  private void assignInside() {
    EntryId inside = anyDirectory();
    int from = servers.groupOfEntry(inside);
    int to = from > 0 && random.nextInt(3) == 0 ? from : 1 + random.nextInt(groups.size() - 1);
    boolean over = inside.equals(EntryId.ROOT) || inside.equals(servers.directory());
    for (int tries = 0; !over && tries < 10; tries++) {
      over = servers.assign(inside, from, to);
      time.pause(servers.chance(10, 200));
    }
  }

  // ---- clients

  private EntryId anyDirectory() {
    List<EntryId> all =
        now().directories().keySet().stream().sorted(Comparator.comparingLong(EntryId::value)).toList();
    return all.get(random.nextInt(all.size()));
  }

  private void work() {
    waiting++;
    while (servers.isFaulty()) {
      // Some writes are an administrator's, so that there is always something to see.
      Caller caller = random.nextBoolean() ? Caller.SERVICE : CALLERS.get(random.nextInt(CALLERS.size()));
      EntryId directory = random.nextInt(3) == 0 ? servers.directory() : anyDirectory();
      send(caller, request(directory), directory);
      time.pause(servers.chance(1, 150));
    }
    waiting--;
  }

  private WriteRequest request(EntryId directory) {
    Target target = Target.of(directory);
    EntryName name = EntryName.of("n" + random.nextInt(1_000_000));
    return switch (random.nextInt(8)) {
      case 0, 1 -> AddRequest.of(
          random.nextBoolean() ? NewEntry.directory(target.child(name)) : entry(target.child(name)));
      case 2, 3, 4 -> rules(directory, randomOwner(), false);
      case 5 -> UpdateRequest.of(EntryChange.rename(target, name));
      case 6 -> now().directories().size() < DIRECTORIES || directory.equals(servers.directory())
          ? UpdateRequest.of(EntryChange.move(target, Target.of(anyDirectory()), name))
          : RemoveRequest.of(Removal.of(target));
      default -> UpdateRequest.of(EntryChange.move(target, Target.of(anyDirectory()), name));
    };
  }

  /** Sends a request to one group after the other until one of them has what it is about. */
  private void send(Caller caller, WriteRequest request, EntryId directory) {
    RequestId id = new RequestId("r" + sent.size());
    sent.put(id.text(), new Sent(caller, request, directory));
    CallContext call = new CallContext(caller, Optional.of(id));
    int first = directory.equals(EntryId.ROOT) ? 0 : random.nextInt(groups.size());
    for (int other = 0; other < groups.size(); other++) {
      int group = (first + other) % groups.size();
      try {
        Answer<List<Outcome<Entry>>> answer = servers.ask(group, primary -> primary.write(call, request));
        if (!(answer.value().getFirst() instanceof Outcome.Refused<Entry>(Refusal why))
            || !ELSEWHERE.contains(why.error())) {
          return;
        }
      } catch (RnsException e) {
        // It may be applied all the same.
        return;
      }
    }
  }

  /** A transaction has applied a write: its caller may do that, and nobody may do more because of it. */
  private void applied(int group, CallContext call, List<Outcome<Entry>> outcomes) {
    Sent request = sent.get(call.requestId().orElseThrow().text());
    if (request == null || !(outcomes.getFirst() instanceof Outcome.Done<Entry>(Entry entry))) {
      return;
    }
    writes++;
    catchUp();
    AccessTree before = now();
    if (!request.caller().equals(Caller.SERVICE)) {
      check(group, request, entry);
    }
    boolean removed = request.request() instanceof RemoveRequest;
    Directory made =
        new Directory(
            entry.id(), entry.isRoot() ? EntryId.ROOT : entry.binding().parent(),
            entry.isRoot() ? EntryName.of("root") : entry.binding().name(), entry.metadata().access());
    trees.add(removed ? before.without(entry.id()) : before.with(made));
    List<Integer> states = known.get(group);
    states.set(states.size() - 1, trees.size() - 1);
    if (!removed && before.directories().containsKey(entry.id())) {
      checkNotWider(group, request, before.directories().get(entry.id()), made);
    }
  }

  /** The states since the last write have the tree that the write made. */
  private void catchUp() {
    for (int group = 0; group < groups.size(); group++) {
      List<Integer> states = known.get(group);
      while (states.size() < groups.get(group).states()) {
        states.add(trees.size() - 1);
      }
    }
  }

  private void check(int group, Sent request, Entry entry) {
    Caller caller = request.caller();
    List<Directory> in = lineage(group, trees.size() - 1, request.directory()).orElseThrow();
    boolean may = switch (request.request()) {
      case AddRequest add -> {
        AccessRules given = add.entries().getFirst().metadata().access();
        boolean owns = given.owner().orElse(caller.name()).equals(caller.name()) && given.inherits();
        yield may(caller, Right.ADD, in, entry)
            && (owns || AccessTree.has(caller, Right.ADMIN, in));
      }
      case RemoveRequest remove -> may(caller, Right.REMOVE, above(in), entry) && uncovers(caller, in);
      case UpdateRequest update -> {
        EntryChange change = update.changes().getFirst();
        if (change.metadata().isPresent()) {
          // Rules that are there already are set by nobody.
          yield change.metadata().get().access().equals(in.getLast().access())
              ? in.size() == 1 || may(caller, Right.CHANGE, above(in), entry)
              : AccessTree.permits(caller, Right.ADMIN, in);
        }
        boolean leaves = change.parent().filter(to -> !to.start().equals(in.getLast().parent())).isPresent();
        yield may(caller, leaves ? Right.REMOVE : Right.CHANGE, above(in), entry) && uncovers(caller, in)
            && (!leaves
                || may(
                    caller, Right.ADD,
                    lineage(group, trees.size() - 1, change.parent().orElseThrow().start()).orElseThrow(), entry));
      }
      default -> throw violated("nobody sends " + request);
    };
    if (!may) {
      throw violated(caller + " must not do " + request.request() + " in " + in);
    }
  }

  /** Whether a caller may leave the path of a directory to others. */
  private static boolean uncovers(Caller caller, List<Directory> in) {
    return in.getLast().access().inherits() || AccessTree.has(caller, Right.ADMIN, in)
        || AccessTree.has(caller, Right.ADMIN, above(in));
  }

  private static List<Directory> above(List<Directory> in) {
    return in.subList(0, in.size() - 1);
  }

  /** Whether a caller gets to a directory and has a right there, leaving aside the paths of limits. */
  private static boolean may(Caller caller, Right right, List<Directory> in, Entry entry) {
    return AccessTree.permits(new Caller(caller.name(), caller.groups()), right, in)
        && caller.limits().stream()
            .allMatch(scopes -> scopes.stream().anyMatch(scope -> scope.rights().contains(right)))
        && !entry.isRoot();
  }

  /** Who moves or renames a directory without being permitted to open it, opens it to nobody. */
  private void checkNotWider(int group, Sent request, Directory before, Directory after) {
    if (!before.access().equals(after.access())) {
      return;
    }
    int was = trees.size() - 2;
    Optional<List<Directory>> in = lineage(group, was, before.id());
    if (in.isEmpty() || in.get().size() < 2 || request.caller().equals(Caller.SERVICE)
        || AccessTree.has(request.caller(), Right.ADMIN, above(in.get()))) {
      return;
    }
    List<Directory> there = lineage(group, was + 1, before.id()).orElseThrow();
    for (Caller caller : List.of(ALICE, BOB, Caller.ANONYMOUS)) {
      for (Right right : Right.values()) {
        if (AccessTree.permits(caller, right, there) && !AccessTree.permits(caller, right, in.get())) {
          throw violated(
              request + " gives " + caller + " the right '" + right.text() + "' in " + after + ", from " + in.get()
                  + " to " + there);
        }
      }
    }
  }

  // ---- what servers permit

  private void inspect() {
    waiting++;
    while (servers.isFaulty()) {
      for (int group = 0; group < groups.size(); group++) {
        int states = groups.get(group).states();
        inspect(group, states - 1);
        // A replica that lags, or one that has just become the primary.
        inspect(group, Math.max(0, states - 1 - random.nextInt(10)));
      }
      time.pause(servers.chance(30, 200));
    }
    waiting--;
  }

  private void inspect(int group, int state) {
    catchUp();
    int tree = known.get(group).get(state);
    for (Directory directory : trees.get(tree).directories().values()) {
      Optional<List<Directory>> fromRoot = lineage(group, state, tree, directory.id());
      for (Caller caller : CALLERS) {
        for (Right right : Right.values()) {
          Optional<Boolean> answer =
              groups.get(group).permits(state, caller, right, target(group, fromRoot, directory));
          if (answer.isPresent()) {
            check(group, caller, right, directory, fromRoot, answer.get());
          }
        }
      }
    }
  }

  private void check(
      int group, Caller caller, Right right, Directory directory, Optional<List<Directory>> fromRoot, boolean answer) {
    boolean expected = fromRoot.isPresent() && AccessTree.permits(caller, right, fromRoot.get());
    if (answer != expected) {
      throw violated(
          "group " + group + (answer ? " permits " : " refuses ") + caller + " the right '" + right.text() + "' in "
              + directory + ", which has above it " + fromRoot + "; it knows "
              + servers.learned(group).map(PartitionTable::map));
    }
    if (fromRoot.isEmpty() && !directory.id().equals(EntryId.ROOT)) {
      throw violated(
          "group " + group + " refuses " + caller + " what it cannot judge yet: '" + right.text() + "' in "
              + directory);
    }
    permitted += answer ? 1 : 0;
    refused += answer ? 0 : 1;
    if (answer && group > 0) {
      belowCuts++;
      cutsInside += servers.learned(group).orElseThrow().map().partitions().stream()
          .filter(each -> each.group() == group
              && fromRoot.orElseThrow().stream().anyMatch(at -> at.id().equals(each.root()))
              && each.root().group() > 0)
          .count();
    }
  }

  /** A directory by its identity, or by a path in the group's own tree. */
  private Target target(int group, Optional<List<Directory>> fromRoot, Directory directory) {
    return group > 0 || fromRoot.isEmpty() || random.nextBoolean()
        ? Target.of(directory.id())
        : Target.of(AccessTree.path(fromRoot.get()));
  }

  /**
   * The directories from the root to one of them: those that a group owns as of one tree, and those above as of the
   * trees that the map has them of which its servers know. Empty if that is not known.
   */
  private Optional<List<Directory>> lineage(int group, int tree, EntryId directory) {
    return lineage(group, groups.get(group).states() - 1, tree, directory);
  }

  /** The same as of a state of the group. */
  private Optional<List<Directory>> lineage(int group, int asOf, int tree, EntryId directory) {
    Deque<Directory> fromRoot = new ArrayDeque<>();
    List<Partition> partitions =
        servers.learned(group).map(table -> table.map().partitions()).orElse(List.of());
    EntryId at = directory;
    AccessTree in = trees.get(tree);
    int owner = group;
    int state = asOf;
    while (true) {
      if (groups.get(owner).isAnchor(state, at)) {
        Optional<Partition> cut = cut(partitions, owner, at);
        if (cut.isEmpty()) {
          // The map does not say that the group has this, and so not what is above it.
          return Optional.empty();
        }
        owner = above(partitions, cut.get()).group();
        state = state(owner, asOf(group, owner));
        in = trees.get(known.get(owner).get(state));
      }
      Directory found = in.directories().get(at);
      if (found == null || (at.equals(EntryId.ROOT) && owner > 0) || fromRoot.contains(found)) {
        return Optional.empty();
      }
      fromRoot.addFirst(found);
      if (at.equals(EntryId.ROOT)) {
        return Optional.of(List.copyOf(fromRoot));
      }
      at = found.parent();
    }
  }

  private static Optional<Partition> cut(List<Partition> partitions, int owner, EntryId at) {
    return partitions.stream()
        .filter(each -> each.root().equals(at) && each.group() == owner && !each.path().isRoot()).findFirst();
  }

  private static Partition above(List<Partition> partitions, Partition below) {
    return partitions.stream()
        .filter(each -> each.path().depth() < below.path().depth()
            && each.path().equals(below.path().prefix(each.path().depth())))
        .max(Comparator.comparingInt(each -> each.path().depth())).orElseThrow();
  }

  private Position asOf(int group, int of) {
    return servers.learned(group).orElseThrow().asOf().of(of)
        .orElseThrow(() -> violated(
            "a map does not say of which state of group " + of + " it is: " + servers.learned(group) + servers.rows()));
  }

  /** A state of a group with a position; all of them have the same tree. */
  private int state(int group, Position position) {
    catchUp();
    int state = groups.get(group).states() - 1;
    while (groups.get(group).position(state).sequence() > position.sequence()) {
      state--;
    }
    return state;
  }

  // ---- the end

  private boolean isQuiet() {
    return waiting == 0 && servers.owners(servers.directory()).size() == 1
        && groups.stream().allMatch(this::isUpToDate);
  }

  private boolean isUpToDate(SimulatedGroup group) {
    int number = groups.indexOf(group);
    Optional<PartitionTable> table = servers.learned(number);
    return number == 0 || (table.isPresent() && table.get().map().equals(servers.map())
        && groups.stream().allMatch(
            other -> table.get().asOf().of(groups.indexOf(other))
                .map(position -> position.sequence() == other.position(other.states() - 1).sequence()).orElse(true))
        && table.get().map().partitions().stream()
            .allMatch(each -> each.group() != number || each.path().isRoot() || group.owns(each.root()))
        // It may be in other content that has moved, and so be no partition.
        && table.get().map().partitions().stream().filter(each -> each.root().equals(servers.directory()))
            .allMatch(each -> each.group() == servers.owners(servers.directory()).getFirst()));
  }

  /** Now every directory has one owner, which permits what its clients have set last. */
  private void checkAll() {
    catchUp();
    Set<Long> seen = new TreeSet<>();
    for (int group = 0; group < groups.size(); group++) {
      int last = groups.get(group).states() - 1;
      for (Directory directory : now().directories().values()) {
        Optional<List<Directory>> fromRoot = lineage(group, trees.size() - 1, directory.id());
        if (fromRoot.isPresent() && !fromRoot.get().equals(lineage(now(), directory))) {
          throw violated("group " + group + " has above " + directory + " what was there before: " + fromRoot);
        }
        for (Caller caller : CALLERS) {
          for (Right right : Right.values()) {
            Optional<Boolean> answer = groups.get(group).permits(last, caller, right, Target.of(directory.id()));
            if (answer.isPresent()) {
              check(group, caller, right, directory, fromRoot, answer.get());
              fromRoot.ifPresent(known -> seen.add(directory.id().value()));
            }
          }
        }
      }
    }
    if (seen.size() != now().directories().size()) {
      throw violated("only " + seen + " are known of " + now().directories().keySet() + "; rows are " + servers.rows());
    }
  }

  private static List<Directory> lineage(AccessTree tree, Directory directory) {
    Deque<Directory> fromRoot = new ArrayDeque<>(List.of(directory));
    while (!fromRoot.getFirst().id().equals(EntryId.ROOT)) {
      fromRoot.addFirst(tree.directories().get(fromRoot.getFirst().parent()));
    }
    return List.copyOf(fromRoot);
  }

  int writes() {
    return writes;
  }

  int moved() {
    return servers.moved(servers.directory());
  }

  int permitted() {
    return permitted;
  }

  int refused() {
    return refused;
  }

  /** How often a group permitted something below a cut inside of another one. */
  long cutsInside() {
    return cutsInside;
  }

  /** How often a group permitted something below a cut. */
  int belowCuts() {
    return belowCuts;
  }
}
