package io.rns.server.partition;

import io.rns.api.ContentRequest.Give;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.CallContext;
import io.rns.api.EntryId;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.permission.AccessControl;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.namespace.ContentMoveDefect;
import io.rns.server.namespace.ContentSum;
import io.rns.server.namespace.ContentTarget;
import io.rns.server.namespace.LocalNameService.Ownership;
import io.rns.server.namespace.SimulatedGroup;
import io.rns.server.namespace.SimulatedGroup.Primary;
import io.rns.server.namespace.SimulatedTime;
import io.rns.server.namespace.SimulatedTime.Machine;
import io.rns.server.partition.AssignedJson.ProgressJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Servers of groups, one of which owns the content of a directory, with crashes, failovers, servers that stand still,
 * and messages that are lost or late.
 */
final class SimulatedServers {
  static final String ROOT_OF_ALL = "/a";
  private static final long LATER_THAN_ANY = 1L << 40;

  final SplittableRandom random;
  final SimulatedTime time;
  final List<SimulatedGroup> groups = new ArrayList<>();
  final PartitionTable[] tables;
  /** The maps from which the primaries of groups know what holds above their content; null before the first. */
  private final @Nullable PartitionTable[] learned;
  private final List<AccessControl> controls = new ArrayList<>();
  private final AccessPolicy policy;
  /** All that does not belong to a server. */
  final Machine outside = new Machine();
  private final ContentMoveDefect defect;
  private final Map<Integer, GroupReport> heard = new TreeMap<>();
  private final Map<Primary, ContentMoves> moves = new WeakHashMap<>();
  private final Map<Primary, Set<EntryId>> owned = new WeakHashMap<>();
  private final Set<Integer> looking = new HashSet<>();
  /** What the primaries of groups could not do when they looked last. */
  private final Map<Integer, String> troubles = new TreeMap<>();
  private EntryId directory = EntryId.ROOT;
  private int takenBack;
  private boolean faulty;
  private final Map<EntryId, Integer> moved = new TreeMap<>(Comparator.comparingLong(EntryId::value));

  /** Is told what a transaction of a group has applied. */
  @FunctionalInterface
  interface Observer {
    /** A request was applied, and its answer is kept. */
    void applied(int group, CallContext call, List<Outcome<Entry>> outcomes);
  }

  /**
   * Servers of two or three groups.
   *
   * @param policy what callers may do at all of them
   */
  SimulatedServers(long seed, ContentMoveDefect defect, AccessPolicy policy, Observer observer) {
    this.policy = policy;
    this.random = new SplittableRandom(seed);
    this.time = new SimulatedTime(random.nextLong());
    this.defect = defect;
    int size = 2 + random.nextInt(2);
    tables = new PartitionTable[size];
    learned = new PartitionTable[size];
    for (int number = 0; number < size; number++) {
      int group = number;
      AccessControl control = new AccessControl(policy, false);
      controls.add(control);
      groups.add(
          new SimulatedGroup(
              number, time, random.split(), defect, (call, outcomes) -> observer.applied(group, call, outcomes),
              control));
      tables[number] = PartitionTable.whole(0);
    }
  }

  /** The directory whose content moves. */
  EntryId directory() {
    return directory;
  }

  /** Whether something may fail. */
  boolean isFaulty() {
    return faulty;
  }

  /** How often an owner of a directory's content was told to be one. */
  int moved(EntryId of) {
    return moved.getOrDefault(of, 0);
  }

  /** Begins to look at the map, and to fail. */
  void begin(EntryId moving) {
    directory = moving;
    faulty = true;
    for (int number = 0; number < groups.size(); number++) {
      look(number);
      clear(number);
    }
    fail();
  }

  Duration chance(int leastMillis, int mostMillis) {
    return Duration.ofNanos(1_000_000L * leastMillis + random.nextLong(1_000_000L * (mostMillis - leastMillis)));
  }

  // ---- messages

  void travel() {
    int kind = random.nextInt(200);
    time.pause(!faulty || kind > 8 ? chance(0, 3) : kind > 0 ? chance(3, 400) : chance(1_000, 8_000));
  }

  private boolean isLost() {
    return faulty && random.nextInt(50) == 0;
  }

  /** Asks a server that is the primary of a group, or was. */
  <T> T ask(int group, Function<Primary, T> question) {
    travel();
    if (isLost()) {
      if (random.nextBoolean()) {
        Machine late = new Machine();
        time.after(chance(1, 6_000), () -> time.start(late, () -> arriveLate(group, question)));
      }
      throw new RnsException(RnsError.UNAVAILABLE, "a request is late, or lost");
    }
    Primary asked = groups.get(group).primary();
    for (int waits = 0; !asked.isRunning(); waits++) {
      if (!asked.isAlive() || waits > 100) {
        throw new RnsException(RnsError.UNAVAILABLE, "the server does not answer");
      }
      time.pause(chance(100, 200));
    }
    T answer = question.apply(asked);
    travel();
    if (isLost()) {
      throw new RnsException(RnsError.UNAVAILABLE, "an answer is lost");
    }
    return answer;
  }

  /** A message arrives after its sender has given up, and perhaps done something else. */
  private <T> void arriveLate(int group, Function<Primary, T> question) {
    try {
      T unused = question.apply(groups.get(group).primary());
    } catch (RnsException e) {
      // Nobody hears of it.
    }
  }

  // ---- failures

  private void fail() {
    time.after(
        chance(100, 1_500),
        () -> {
          if (faulty) {
            failNow(random.nextInt(groups.size()));
            fail();
          }
        });
  }

  /** In the middle of a move something fails, most often where it hurts. */
  private void disturb(int from, int to, boolean decisive) {
    if (!faulty || random.nextInt(decisive ? 5 : 40) > 0) {
      return;
    }
    int group = random.nextBoolean() ? from : to;
    switch (random.nextInt(3)) {
      case 0 -> time.pause(chance(2_500, 5_000));
      case 1 -> crash(group, groups.get(group).primary());
      default -> forsake(group, groups.get(group).primary());
    }
  }

  private void crash(int group, Primary primary) {
    primary.crash();
    time.after(chance(20, 2_000), () -> replace(group, primary));
  }

  /** It stands still, and does not know that another one takes over. */
  private void forsake(int group, Primary primary) {
    time.pause(primary.process(), true);
    time.after(chance(20, 1_500), () -> replace(group, primary));
    time.after(chance(20, 6_000), () -> time.pause(primary.process(), false));
  }

  private void failNow(int group) {
    Primary primary = groups.get(group).primary();
    switch (random.nextInt(4)) {
      case 0 -> crash(group, primary);
      case 1 -> forsake(group, primary);
      case 2 -> {
        time.pause(primary.process(), true);
        time.after(chance(20, 4_000), () -> time.pause(primary.process(), false));
      }
      default -> groups.get(group).crashesAfterCommit(random.nextBoolean() ? 0 : 0.05);
    }
  }

  private void replace(int group, Primary former) {
    if (groups.get(group).primary().equals(former)) {
      failOver(group);
    }
  }

  void heal() {
    faulty = false;
    for (SimulatedGroup group : groups) {
      group.crashesAfterCommit(0);
      time.pause(group.primary().process(), false);
    }
    for (int number = 0; number < groups.size(); number++) {
      if (!groups.get(number).primary().isAlive()) {
        failOver(number);
      }
    }
  }

  /** Another server takes over, which may have been started just now, and know nothing of the map. */
  private void failOver(int group) {
    groups.get(group).failOver();
    if (policy.mode() != AccessMode.OPEN && random.nextBoolean()) {
      learned[group] = null;
      controls.get(group).inherited().replace(Map.of());
    }
  }

  /** The map from which the primary of a group knows what holds above its content; empty if it knows none. */
  Optional<PartitionTable> learned(int group) {
    return Optional.ofNullable(learned[group]);
  }

  private void clear(int group) {
    time.after(
        random.nextInt(3) == 0 ? chance(100, 2_500) : chance(10, 100),
        () -> {
          groups.get(group).clear();
          clear(group);
        });
  }

  // ---- the map

  private int recent(int group) {
    SimulatedGroup of = groups.get(group);
    return Math.max(0, of.states() - 1 - (faulty && random.nextInt(4) == 0 ? random.nextInt(8) : 0));
  }

  /** What a server of a group does again and again about the map. */
  private void look(int group) {
    time.after(
        chance(150, 350),
        () -> {
          Primary primary = groups.get(group).primary();
          if (primary.isAlive() && looking.add(group)) {
            time.start(outside, () -> {
              try {
                lookNow(group, primary);
                troubles.remove(group);
              } catch (RnsException e) {
                // Next time.
                troubles.put(group, String.valueOf(e.getMessage()));
              } finally {
                looking.remove(group);
              }
            });
          }
          look(group);
        });
  }

  private void lookNow(int group, Primary primary) {
    if (group > 0) {
      report(group);
    }
    if (faulty && random.nextInt(10) == 0) {
      return;
    }
    tables[group] = gathered(group);
    if (Partitions.isTaken(tables[group], learned[group], controls.get(group).inherited())) {
      learned[group] = tables[group];
    }
    travel();
    Set<EntryId> mine = owned.computeIfAbsent(primary, none -> new HashSet<>());
    PartitionTable table = tables[group];
    GivenContent given = new GivenContent(
        group,
        (of, root) -> defect == ContentMoveDefect.MAP_BELIEVED
            ? new Ownership(group, false, LATER_THAN_ANY, table.asOf())
            : ask(of, other -> said(other.ownership(root))));
    Rows rows = new Rows(groups.get(group), primary);
    try {
      given.serve(rows, table.map(), mine);
    } finally {
      if (table.hasCuts()) {
        given.follow(rows, table.map());
      }
    }
  }

  private Ownership said(Ownership known) {
    return defect == ContentMoveDefect.GIFT_MISTAKEN
        ? new Ownership(known.owner(), known.receives(), LATER_THAN_ANY, known.positions())
        : known;
  }

  /** What a group has for directories, at its primary. */
  record Rows(SimulatedGroup group, Primary primary) implements GivenContent.Rows {
    @Override
    public List<Partition> partitions() {
      return group.partitions(group.states() - 1);
    }

    @Override
    public boolean has(EntryId of) {
      return primary.has(of);
    }

    @Override
    public VirtualDirectory row(EntryId of) {
      return primary.row(of);
    }

    @Override
    public void serve(EntryId of, long epoch) {
      primary.serve(of, epoch);
    }

    @Override
    public void own(EntryId of, long version, Positions given, long there) {
      primary.own(of, version, given, there);
    }

    @Override
    public void point(EntryId of, int to, long version) {
      primary.point(of, to, version);
    }
  }

  private GroupReport report(int group, int state) {
    List<GroupReport.Cut> cuts = GroupReport.cuts(Anchors.IN_ROOT, groups.get(group).partitions(state));
    return new GroupReport(group, groups.get(group).position(state), List.of(), cuts);
  }

  /** As the databases have it now. */
  PartitionMap map() {
    Map<Integer, GroupReport> reports = new TreeMap<>();
    for (int group = 1; group < groups.size(); group++) {
      reports.put(group, report(group, groups.get(group).states() - 1));
    }
    SimulatedGroup root = groups.getFirst();
    return new PartitionMap(Partitions.addReported(root.partitions(root.states() - 1), reports));
  }

  private void report(int group) {
    GroupReport report = report(group, recent(group));
    Duration late = faulty && random.nextInt(8) == 0 ? chance(100, 3_000) : chance(0, 20);
    if (!faulty || random.nextInt(8) > 0) {
      time.after(
          late, () -> heard.merge(group, report, (former, now) -> now.after(former)));
    }
  }

  /** As a server of the root's group has it. */
  private PartitionTable gathered(int group) {
    int state = recent(0);
    Positions asOf = Positions.of(groups.getFirst().position(state));
    for (GroupReport report : heard.values()) {
      asOf = report.cuts().isEmpty() ? asOf : asOf.with(report.position());
    }
    PartitionMap map = new PartitionMap(Partitions.addReported(groups.getFirst().partitions(state), heard));
    PartitionTable before = tables[group];
    return new PartitionTable(
        group, map, asOf, map.equals(before.map()) ? before.changed() : asOf, new TreeMap<>());
  }

  // ---- assignments

  /** Assigns the directory whose content moves. */
  boolean assign(int to) {
    return assign(directory, 0, to);
  }

  /** As {@link Assignments#assign} at the primary of the group that has a directory's entry; whether that is over. */
  boolean assign(EntryId of, int at, int to) {
    return ask(at, primary -> {
      Optional<ProgressJson> kept = to == at ? keep(primary, of, at) : Optional.empty();
      if (kept.isPresent()) {
        return kept.get().isOver();
      }
      Outcome<Entry> outcome = primary.assign(Target.of(of), to, 0);
      return switch (outcome) {
        case Outcome.Refused<Entry>(Refusal.Delegated cut) when cut.group() == to ->
          ask(to, other -> keep(other, of, to)).map(ProgressJson::isOver).orElse(true);
        case Outcome.Refused<Entry>(Refusal.Delegated cut) when cut.directory().equals(of) ->
          moved(
              primary, of, at, to, primary.row(of).version(),
              ask(cut.group(), other -> give(other, of, cut.group(), to)));
        case Outcome.Refused<Entry>(Refusal.NotEmpty content) -> give(primary, of, at, to).isOver();
        default -> {
          Entry unused = outcome.orThrow();
          yield true;
        }
      };
    });
  }

  private boolean moved(Primary primary, EntryId of, int at, int to, long version, ProgressJson move) {
    if (move.isOver() && to != at) {
      if (faulty && random.nextInt(10) == 0) {
        time.pause(chance(1, 4_000));
      }
      primary.point(of, to, version);
    }
    return move.isOver();
  }

  private ContentMoves moves(Primary primary, int from) {
    return moves.computeIfAbsent(
        primary, source -> new ContentMoves(
            from, time, task -> time.start(source.process(), task), (of, inside) -> takenBack(of, inside, from)));
  }

  private boolean takenBack(int of, EntryId inside, int to) {
    boolean over = ask(of, other -> give(other, inside, of, to)).isOver();
    takenBack += over ? 1 : 0;
    return over;
  }

  /** How often a group gave content back to get what is around it. */
  int takenBack() {
    return takenBack;
  }

  /** Ends a move from a group; the content has not moved then. */
  private Optional<ProgressJson> keep(Primary primary, EntryId of, int from) {
    Optional<ProgressJson> kept = moves(primary, from).cancel(of, () -> primary.row(of).owner());
    if (kept.filter(ProgressJson::isOver).isPresent() && groups.get(from).primary().equals(primary)
        && primary.row(of).owner().isPresent()) {
      throw new IllegalStateException("a move was cancelled, and has given the content away");
    }
    return kept;
  }

  private ProgressJson give(Primary primary, EntryId of, int from, int to) {
    primary.ownership(of).checkArrived(of);
    return moves(primary, from).give(
        of, to, () -> primary.row(of).owner(),
        next -> primary.departing(
            of, next, new Remote(of, next), random.nextBoolean() ? 0 : ContentMoves.KEPT_BYTES,
            faulty && random.nextInt(12) == 0,
            step -> disturb(from, next, step instanceof Give)));
  }

  /** The primary of the group that takes the content in, as messages reach it. */
  private final class Remote implements ContentTarget {
    private final EntryId of;
    private final int to;

    Remote(EntryId of, int to) {
      this.of = of;
      this.to = to;
    }

    private <T> T step(Function<ContentTarget, T> step) {
      return ask(to, primary -> step.apply(
          primary.arriving(of, (other, asked) -> SimulatedServers.this.ask(other, it -> it.ownership(asked)))));
    }

    private void run(java.util.function.Consumer<ContentTarget> step) {
      boolean unused = step(target -> {
        step.accept(target);
        return true;
      });
    }

    @Override
    public long version() {
      return step(ContentTarget::version);
    }

    @Override
    public Receipt receive(int from, long offered, long at, boolean afresh) {
      return step(target -> target.receive(from, offered, at, afresh));
    }

    @Override
    public void insert(long token, List<Entry> entries) {
      List<Entry> sent = List.copyOf(entries);
      run(target -> target.insert(token, sent));
    }

    @Override
    public void remove(long token, List<EntryId> entries, boolean forever) {
      run(target -> target.remove(token, entries, forever));
    }

    @Override
    public long lagMillis() {
      // The groups here have no replicas.
      return 0;
    }

    @Override
    public void remember(long token, String answers) {
      run(target -> target.remember(token, answers));
    }

    @Override
    public void abandon(long token) {
      run(target -> target.abandon(token));
    }

    @Override
    public Set<EntryId> has(Collection<EntryId> entries) {
      return step(target -> target.has(entries));
    }

    @Override
    public Set<EntryId> settled(Collection<EntryId> entries) {
      return step(target -> target.settled(entries));
    }

    @Override
    public boolean isCleared() {
      return step(ContentTarget::isCleared);
    }

    @Override
    public ContentSum sum() {
      return step(ContentTarget::sum);
    }

    @Override
    public void own(long token, Positions given, long version) {
      disturb(to, to, true);
      run(target -> target.own(token, given, version));
      moved.merge(of, 1, Integer::sum);
    }
  }

  // ---- what they have

  List<Integer> owners(EntryId of) {
    return IntStream.range(0, groups.size()).filter(group -> groups.get(group).owns(of)).boxed().toList();
  }

  /** The group that has the entry of a directory; the root's, if the entry is on its way. */
  int groupOfEntry(EntryId of) {
    return IntStream.range(0, groups.size()).filter(group -> groups.get(group).hasEntry(of)).findFirst().orElse(0);
  }

  /** The owner of a directory's content by the map of a group; empty if it is that of the content around it. */
  OptionalInt mapped(int group, EntryId of) {
    return tables[group].map().partitions().stream().filter(each -> each.root().equals(of))
        .mapToInt(Partition::group).findFirst();
  }

  String rows() {
    StringBuilder all = new StringBuilder();
    for (SimulatedGroup group : groups) {
      all.append(group.partitions(group.states() - 1));
    }
    return all + "; what the groups could not do last: " + troubles;
  }
}
