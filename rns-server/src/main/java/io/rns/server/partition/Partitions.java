package io.rns.server.partition;

import io.rns.api.Answer;
import io.rns.api.ArriveRequest;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.DepartRequest;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.InheritedAccess;
import io.rns.permission.InheritedAccess.AboveContent;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.OtherGroups;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import io.rns.replication.partition.PartitionedNameService;
import io.rns.server.group.Membership;
import io.rns.server.http.ServerJson;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.LocalNameService.Ownership;
import io.rns.server.operator.ServerCalls;
import io.rns.server.partition.GivenContent.CopyRows;
import io.rns.server.partition.MoveJson.MovedJson;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of the tree as this server knows them, kept up to date.
 *
 * <p>The group of the root has the map: its own cuts, and those that other groups report from their parts. Every server
 * of another group reports its group to all servers of the root's, and has the map from one of them. Its primary begins
 * to own what the map says. Thread-safe.
 */
public final class Partitions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Partitions.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final int LOOKS_PER_REPORT = 4;
  private static final Duration LOOK = Duration.ofSeconds(2);
  /** A write of another group, and of that group's other group. */
  private static final Duration MOVE = Duration.ofSeconds(10);
  /** A server of the root's group whose map is older may be cut off from its database or its group. */
  private static final Duration RECENT = Duration.ofSeconds(2);
  /** A group whose servers have not reported for that long is taken for one that is away. */
  private static final Duration SILENCE = Duration.ofSeconds(15);

  private final int group;
  private final List<String> roots;
  private final Anchors anchors;
  private final Membership membership;
  private final @Nullable SignedCalls calls;
  private final OtherGroups others;
  private final NameService service;
  private final EntryMoves moves;
  private final AtomicBoolean resuming = new AtomicBoolean();
  private final AtomicBoolean owning = new AtomicBoolean();
  private final AtomicBoolean following = new AtomicBoolean();
  private final Assignments assignments;
  private final GivenContent given;
  private final HeatHistory heat;
  private final Plans plans;
  private final Records records;
  private final PartitioningSettings settings;
  private final InheritedAccess inherited;
  private final Balancing balancing;
  private final AtomicBoolean isBalancing = new AtomicBoolean();
  private final Map<Integer, Heard> heard = new ConcurrentHashMap<>();
  /** Held while the map is read and replaced. Reports do not wait for it: the database may hang. */
  private final Lock gathering = new ReentrantLock();
  private final Set<EntryId> owned = new HashSet<>();
  private final Thread thread = Thread.ofPlatform().name("rns-partitions").daemon().unstarted(this::run);
  private final ExecutorService reporters = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closing = new CountDownLatch(1);
  /** The server of the root's group that had a recent map last; belongs to the thread. */
  private String teacher = "";
  /** Whether no other group is known, and no part of the tree belongs to one. */
  private volatile boolean alone;
  private volatile @Nullable PartitionTable table;
  /** What was committed in the root's group by then is in the table, by {@link System#nanoTime}. */
  private volatile long latestAt = System.nanoTime();
  /** Whether what this group owns has just changed. */
  private final AtomicBoolean reportSoon = new AtomicBoolean();
  private volatile String trouble = "the group of the root has not been asked yet";

  /**
   * Prepares the partitions; nothing is reached before {@link #start}.
   *
   * @param group the number of this server's group
   * @param roots addresses of servers of the group that owns the root; empty if it is this one
   * @param calls to other servers; null without a secret, which is a tree of one group
   * @param passing passes callers on to other groups
   * @param timeout limit of a request to another group
   * @param trust the certificates accepted from other servers
   * @param answerBytes receives the number of bytes as answers of other groups are read
   * @param clock by which partitions have been where they are
   * @param settings how this group looks after the loads, if it owns the root
   * @param inherited is kept up to date with what holds above what this group owns
   */
  public Partitions(
      int group, List<String> roots, Membership membership, @Nullable SignedCalls calls,
      MessageAuthentication passing, Duration timeout, TlsTrust trust, LongConsumer answerBytes, InstantSource clock,
      PartitioningSettings settings,
      InheritedAccess inherited) {
    this.group = group;
    this.roots = List.copyOf(roots);
    this.anchors = Anchors.of(roots.isEmpty());
    this.membership = membership;
    this.calls = calls;
    this.table = roots.isEmpty() ? PartitionTable.whole(group) : null;
    this.alone = roots.isEmpty() && calls == null;
    this.others = new OtherGroups(this::table, passing, timeout, trust, answerBytes);
    this.moves = new EntryMoves(group, membership::copy, new Primaries());
    this.service = new PartitionedNameService(membership.service(), this::table, others, moves);
    this.settings = settings;
    this.inherited = inherited;
    this.records = new Records(this::copy, clock);
    this.assignments = new Assignments(group, this, records);
    this.given = new GivenContent(group, this::owner);
    this.heat = new HeatHistory(anchors, System::nanoTime);
    this.plans = new Plans(this, heat, reporters, clock);
    this.balancing = new Balancing(
        settings, end -> plans.window(end, settings.balancer()),
        (directory, to, reason) -> assignments.assign(directory, to, reason, false), records, clock);
  }

  /** Begins to look. */
  public void start() {
    if (calls != null) {
      thread.start();
    }
  }

  /** The whole tree; without a detour as long as this group has all of it. */
  public NameService service() {
    return alone ? membership.service() : service;
  }

  /**
   * What is known now.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if no server of the root's group has told yet
   */
  public PartitionTable table() {
    PartitionTable known = table;
    if (known == null) {
      throw new RnsException(RnsError.UNAVAILABLE, "the partitions of the tree are not known yet: " + trouble);
    }
    return known;
  }

  /**
   * The same for operators and other servers.
   *
   * @param withAccess with what says something of access above each partition, for other servers
   */
  PartitionsJson json(boolean withAccess) {
    // The age first: of a table that is replaced meanwhile it is too high, not too low.
    long age = calls == null ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - latestAt);
    return PartitionsJson.of(table(), age, withAccess);
  }

  /** The same; empty if no server of the root's group has told yet. */
  public Optional<PartitionTable> known() {
    return Optional.ofNullable(table);
  }

  /**
   * Whether a request may have to wait for another group.
   *
   * @param read what it reads; empty if it is not a plain read
   * @param consistency of the read
   * @param seen what its caller has seen
   */
  public boolean mayWait(List<Target> read, Consistency consistency, Positions seen) {
    PartitionTable known = table;
    return !alone && (known == null || read.isEmpty() || !known.hasAll(read, consistency, seen));
  }

  /** Numbers for operators. */
  public Map<String, Number> statistics() {
    Map<String, Number> numbers = new TreeMap<>(others.statistics());
    PartitionTable known = table;
    numbers.put("partitions", known == null ? 0 : known.map().partitions().size());
    return numbers;
  }

  // ---- keeping the map

  private void run() {
    try {
      int looks = 0;
      do {
        boolean report = looks++ % LOOKS_PER_REPORT == 0 || reportSoon.getAndSet(false);
        attempt(() -> look(report));
        attempt(() -> heat.advance(membership.copy()));
        if (balancing.isDue() && balances()) {
          inBackground(isBalancing, balancing::decide);
        }
      } while (!closing.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      LOG.info("interrupted while looking at the partitions");
    }
  }

  /** Whether this server looks after the loads: the primary of the root's group, if there is another group. */
  private boolean balances() {
    LocalNameService copy = membership.copy();
    return roots.isEmpty() && copy != null && copy.isPrimary() && table().servers().size() > 1;
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (RnsException e) {
      note(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("looking at the partitions failed", e);
    }
  }

  private void note(String why) {
    if (!why.equals(trouble)) {
      trouble = why;
      LOG.warn("partitions: {}", why);
    }
  }

  private void look(boolean report) {
    inBackground(resuming, () -> moves.resume(reporters));
    if (roots.isEmpty()) {
      gather();
    } else {
      if (report) {
        report();
      }
      learn();
    }
    inBackground(owning, this::own);
    if (report) {
      inBackground(following, this::follow);
    }
  }

  /** Looks after moves: a group that does not answer must not delay reports to others. */
  private void inBackground(AtomicBoolean busy, Runnable work) {
    if (busy.compareAndSet(false, true)) {
      reporters.execute(
          () -> {
            try {
              attempt(work);
            } finally {
              busy.set(false);
            }
          });
    }
  }

  /** At a server of the root's group: the map, if anything may have changed it. */
  private void gather() {
    gathering.lock();
    try {
      LocalNameService copy = membership.copy();
      if (copy != null) {
        gather(copy);
      }
    } finally {
      gathering.unlock();
    }
  }

  private void gather(LocalNameService copy) {
    long now = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(copy.ageMillis());
    boolean latest = isLatest(copy);
    if (!heard.isEmpty() || !table().asOf().covers(copy.position())) {
      gather(copy.partitions());
    }
    if (latest) {
      latestAt = now;
    }
  }

  /** Whether a copy is that of a replica, whose age is known, or of a primary that cannot have a successor yet. */
  private static boolean isLatest(LocalNameService copy) {
    try {
      if (copy.isPrimary()) {
        copy.checkLatest();
      }
      return true;
    } catch (RnsException e) {
      return false;
    }
  }

  private void gather(Answer<PartitionMap> own) {
    PartitionTable before = table();
    Positions asOf = Positions.of(own.position());
    List<Partition> all = new ArrayList<>(own.value().partitions());
    TreeMap<Integer, List<Announcement>> servers = new TreeMap<>();
    servers.put(group, membership.announcements());
    Map<Integer, GroupReport> reports = new TreeMap<>();
    for (Heard each : heard.values()) {
      GroupReport report = each.report();
      reports.put(report.group(), report);
      servers.put(report.group(), each.servers());
      asOf = report.cuts().isEmpty() ? asOf : asOf.with(report.position());
    }
    PartitionMap map = new PartitionMap(addReported(all, reports));
    Positions changed = map.equals(before.map()) ? before.changed() : asOf;
    inherit(map, group, inherited);
    table = new PartitionTable(group, map, asOf, changed, servers);
    alone = heard.isEmpty() && !table().hasCuts();
  }

  /**
   * What a group reported.
   *
   * @param nanos when, by {@link System#nanoTime}
   */
  private record Heard(GroupReport report, long nanos) {
    /** Its servers; all out of reach if none has reported for long. */
    List<Announcement> servers() {
      return System.nanoTime() - nanos < SILENCE.toNanos()
          ? report.servers()
          : report.servers().stream().map(server -> Announcement.unreachable(server.url(), server.name())).toList();
    }
  }

  /** Adds what groups report from their parts, each after the part itself; all with those who own them now. */
  static List<Partition> addReported(List<Partition> own, Map<Integer, GroupReport> reported) {
    int root = own.getFirst().group();
    Map<Integer, GroupReport> reports = new TreeMap<>(reported);
    reports.put(
        root,
        new GroupReport(root, new Position(root, 0, 0), List.of(), GroupReport.cuts(Anchors.OUTSIDE_ROOT, own)));
    List<Partition> below =
        own.stream().filter(each -> !Anchors.OUTSIDE_ROOT.path().contains(each.path())).toList();
    List<Partition> all = new ArrayList<>(GroupReport.withOwners(root, below, reports));
    Set<RnsPath> places = new HashSet<>();
    Set<EntryId> directories = new HashSet<>();
    all.forEach(
        partition -> {
          places.add(partition.path());
          directories.add(partition.root());
        });
    boolean more = true;
    while (more) {
      more = false;
      for (GroupReport report : reports.values()) {
        for (Partition partition : GroupReport.withOwners(
            report.group(), report.below(List.copyOf(all)), reports)) {
          if (!directories.contains(partition.root()) && places.add(partition.path())) {
            directories.add(partition.root());
            all.add(partition);
            more = true;
          }
        }
      }
    }
    return all;
  }

  /**
   * Takes the report of another group.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if this is not the group of the root, or has that number
   */
  void hear(GroupReport report) {
    if (!roots.isEmpty() || report.group() == group) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "server group " + report.group() + " reports to server group " + group
              + (roots.isEmpty() ? ", which has the same number" : ", which does not own the root"));
    }
    heard.merge(
        report.group(), new Heard(report, System.nanoTime()),
        (before, latest) -> new Heard(latest.report().after(before.report()), latest.nanos()));
    alone = false;
  }

  private void report() {
    LocalNameService copy = membership.copy();
    if (copy == null) {
      return;
    }
    Answer<PartitionMap> own = copy.partitions();
    List<GroupReport.Cut> cuts = GroupReport.cuts(anchors, own.value().partitions());
    String body;
    try {
      body = ServerJson.MAPPER.writeValueAsString(
          new GroupReport(group, own.position(), membership.announcements(), cuts));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report cannot be written", e);
    }
    for (String root : rootServers()) {
      var unused = reporters.submit(() -> report(root, body));
    }
  }

  private void report(String root, String body) {
    try {
      JsonNode unused = ask("POST", root, "/report", body, LOOK, JsonNode.class);
    } catch (RnsException e) {
      if (e.error() == RnsError.UNAVAILABLE) {
        LOG.debug("{} does not take the report of this group", root, e);
      } else {
        note(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Addresses of servers of the root's group: those that live, and those of the configuration. */
  private Set<String> rootServers() {
    PartitionTable known = table;
    Set<String> servers = new TreeSet<>(roots);
    if (known != null) {
      known.living(known.rootGroup()).forEach(server -> servers.add(server.url()));
    }
    return servers;
  }

  /** Takes the map of a server of the root's group that has a recent one; if there is none, the youngest. */
  private void learn() {
    RnsException last = null;
    boolean learned = false;
    List<String> servers = new ArrayList<>(rootServers());
    // Not one that hangs first, every time.
    servers.sort(Comparator.comparing(root -> !root.equals(teacher)));
    for (String root : servers) {
      try {
        long asked = System.nanoTime();
        PartitionsJson answer = ask("GET", root, "", "", LOOK, PartitionsJson.class);
        long at = asked - TimeUnit.MILLISECONDS.toNanos(answer.ageMillis());
        if (learned && at - latestAt < 0) {
          continue;
        }
        PartitionTable map = answer.table(group);
        if (!isTaken(map, table, inherited)) {
          last = new RnsException(RnsError.UNAVAILABLE, root + " has an older map than another server had before");
          continue;
        }
        table = map;
        latestAt = at;
        learned = true;
        if (!map.servers().containsKey(group)) {
          // The server has just started: until it hears of this group, others wait for it.
          reportSoon();
        }
        if (answer.ageMillis() < RECENT.toMillis()) {
          teacher = root;
          return;
        }
      } catch (RnsException e) {
        last = e;
      }
    }
    if (!learned) {
      throw Objects.requireNonNull(last);
    }
    note("no server of server group " + table().rootGroup() + " has a map of the last " + RECENT.toMillis() + " ms");
  }

  /**
   * Whether a server takes what one of the root's group tells it, not being older than what another one told before;
   * and with it what holds above the content that its own group has.
   */
  static boolean isTaken(PartitionTable learned, @Nullable PartitionTable known, InheritedAccess inherited) {
    if (!isRead(learned) || (known != null && !isNotBehind(learned, known))) {
      return false;
    }
    inherit(learned.map(), learned.group(), inherited);
    return true;
  }

  /** Has the servers of a group know what holds above the content that it has. */
  private static void inherit(PartitionMap map, int group, InheritedAccess inherited) {
    inherited.replace(
        map.partitions().stream().filter(each -> each.group() == group)
            .collect(Collectors.toMap(Partition::root, each -> new AboveContent(each.path(), each.above()))));
  }

  /** A server that has not read its database yet takes the tree for one without cuts. */
  private static boolean isRead(PartitionTable learned) {
    return learned.asOf().of(learned.rootGroup()).isPresent();
  }

  /** Groups other than that of the root are in it only while they have cuts. */
  private static boolean isNotBehind(PartitionTable learned, PartitionTable known) {
    return known.asOf().each().stream()
        .allMatch(position -> learned.asOf().of(position.group()).isEmpty() || learned.asOf().covers(position));
  }

  /** At the primary: begins to own what the map says. */
  private void own() {
    LocalNameService copy = membership.copy();
    if (copy == null || !copy.isPrimary()) {
      owned.clear();
      return;
    }
    given.serve(new CopyRows(copy), table().map(), owned);
  }

  // ---- moves of entries between groups

  /** Servers that pass requests on to the primaries of their groups. */
  private final class Primaries implements EntryMoves.Primaries {
    @Override
    public Answer<Outcome<Entry>> move(CallContext call, int from, DepartRequest request) {
      return ask(from, "/move", MoveJson.of(call, request)).answer(request);
    }

    @Override
    public Answer<Outcome<Entry>> take(int to, ArriveRequest request) {
      return ask(to, "/take", MoveJson.of(request)).answer(request);
    }

    private MovedJson ask(int of, String what, MoveJson request) {
      // A server of the own group is not the primary, or it would not ask.
      return passOn(of == group ? primary().orElseThrow(Partitions::roleChanged) : anyOf(of), what, of == group,
          request);
    }
  }

  private static RnsException roleChanged() {
    return new RnsException(RnsError.UNAVAILABLE, "this server has just become the primary; retry");
  }

  private MovedJson passOn(String server, String what, boolean here, MoveJson request) {
    try {
      return ask(
          "POST", server, what + (here ? "?here=true" : ""), ServerJson.MAPPER.writeValueAsString(request), MOVE,
          MovedJson.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a move cannot be written", e);
    }
  }

  /**
   * Moves an entry of this group to another one.
   *
   * @param here only if this server is the primary of its group: another one takes it for that
   */
  MovedJson move(MoveJson request, boolean here) {
    Optional<String> primary = here ? Optional.empty() : primary();
    return primary.isPresent()
        ? passOn(primary.get(), "/move", true, request)
        : MovedJson.of(request.departure(), moves.moveHence(request.call(), request.departure()));
  }

  /** Takes an entry of another group; the same. */
  MovedJson take(MoveJson request, boolean here) {
    Optional<String> primary = here ? Optional.empty() : primary();
    return primary.isPresent()
        ? passOn(primary.get(), "/take", true, request)
        : MovedJson.of(request.arrival(), moves.take(request.arrival()));
  }

  // ---- moves of content between groups

  /** At the primary: completes moves whose last steps were interrupted. */
  private void follow() {
    LocalNameService copy = membership.copy();
    if (copy != null && copy.isPrimary() && table().hasCuts()) {
      given.follow(new CopyRows(copy), table().map());
    }
  }

  /** What the primary of another group knows of a directory's content. */
  Ownership owner(int of, EntryId directory) {
    return ask("POST", primaryOf(of), "/owner?directory=" + directory, "", LOOK, OwnerJson.class).ownership();
  }

  // ---- for assignments

  /** Gives directories to groups. */
  Assignments assignments() {
    return assignments;
  }

  /** Proposes assignments. */
  Plans plans() {
    return plans;
  }

  /** What was decided and moved, at a server of the root's group. */
  DecisionsJson decisions(QueryParameters parameters) {
    return DecisionsJson.of(parameters, records(), settings, table().map());
  }

  /** What would have been decided with other settings, at a server of the root's group. */
  ReplayJson replay(QueryParameters parameters) {
    return replay(parameters, records().decisions(ReplayJson.most(parameters)));
  }

  /** The same from decisions of any service. */
  ReplayJson replay(QueryParameters parameters, List<DecisionJson> decisions) {
    return ReplayJson.of(parameters, decisions, settings, System::nanoTime);
  }

  private Records records() {
    if (!roots.isEmpty()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "server group " + group + " does not own the root; group " + table().rootGroup() + " records decisions");
    }
    return records;
  }

  /** The copy of the tree at this server; null while there is none. */
  @Nullable
  LocalNameService copyOrNull() {
    return membership.copy();
  }

  /** The copy of the tree at this server. */
  LocalNameService copy() {
    LocalNameService copy = copyOrNull();
    if (copy == null) {
      throw new RnsException(RnsError.UNAVAILABLE, "this server has no copy of the tree now");
    }
    return copy;
  }

  /** Has the map show at once what was assigned here. */
  void refresh() {
    if (roots.isEmpty()) {
      gather();
    }
  }

  /** What takes in the content of a directory at another server. */
  RemoteContent content(String server, EntryId directory) {
    return new RemoteContent(new ServerCalls(Objects.requireNonNull(calls)), server, directory);
  }

  /** At the primary: how far the replica of this group that is furthest behind is behind. */
  long replicaLagMillis() {
    return membership.reports().stream()
        .filter(report -> report.role() == Role.REPLICA && report.reason().isEmpty())
        .mapToLong(MemberReport::ageMillis).max().orElse(0);
  }

  /** Has the root's group hear soon what this group owns. */
  void reportSoon() {
    reportSoon.set(true);
  }

  /** The address of the primary of this group; empty if this is it. */
  Optional<String> primary() {
    LocalNameService copy = membership.copy();
    if (copy != null && copy.isPrimary()) {
      return Optional.empty();
    }
    return Optional.of(
        membership.announcements().stream().filter(server -> server.role() == ServerRole.PRIMARY)
            .map(Announcement::url).findFirst()
            .orElseThrow(() -> new RnsException(RnsError.UNAVAILABLE, "no primary is known")));
  }

  /** The address of the primary of another group. */
  String primaryOf(int of) {
    return table().living(of).stream().filter(server -> server.role() == ServerRole.PRIMARY).map(Announcement::url)
        .findFirst()
        .orElseThrow(
            () -> new RnsException(RnsError.UNAVAILABLE, "no primary of server group " + of + " is known"));
  }

  /**
   * The address of the primary of the group that owns the root, which is another server.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it is not known, or this server has just become it
   */
  String primaryOfRoot() {
    int of = table().rootGroup();
    return of == group ? primary().orElseThrow(Partitions::roleChanged) : primaryOf(of);
  }

  String anyOf(int of) {
    return table().living(of).stream().map(Announcement::url).findFirst()
        .orElseThrow(
            () -> new RnsException(RnsError.UNAVAILABLE, "no server of server group " + of + " is known"));
  }

  <T> T ask(String method, String server, String what, String body, Duration most, Class<T> answered) {
    return new ServerCalls(Objects.requireNonNull(calls)).ask(method, server, "/partitions" + what, body, most,
        answered);
  }

  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assignments.close();
    var unused = reporters.shutdownNow();
    others.close();
    if (calls != null) {
      calls.close();
    }
  }
}
