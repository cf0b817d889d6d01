package io.rns.server.partition;

import io.rns.client.http.MessageAuthentication;
import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.ArriveRequest;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.DepartRequest;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Hop;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.http.TlsTrust;
import io.rns.local.DatabaseProcess;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.OtherGroups;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import io.rns.replication.partition.PartitionedNameService;
import io.rns.server.TestDatabase;
import io.rns.server.namespace.ContentTarget;
import io.rns.server.namespace.DepartingContent;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.TestServices;
import io.rns.server.soap.SoapHttpServer;
import io.rns.server.store.Database;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A tree over server groups of one server each, with databases of their own, that reach each other over HTTP. */
final class TestTree implements AutoCloseable {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final String WRONG_COUNTS =
      """
      SELECT ids.id, COALESCE(r.rows_there, 0) has, COALESCE(c.entries, 0) counted FROM
       (SELECT parent_id id FROM entry UNION SELECT directory_id FROM directory_count) ids
       LEFT JOIN (SELECT parent_id, COUNT(*) rows_there FROM entry GROUP BY parent_id) r ON r.parent_id = ids.id
       LEFT JOIN directory_count c ON c.directory_id = ids.id
       WHERE ids.id > 0 AND ids.id NOT IN (SELECT directory_id FROM removed_directory)
       HAVING has <> counted
      """;

  final List<Group> groups = new ArrayList<>();

  /** Run in the middle of moves between groups; may end them there by an exception. */
  volatile Runnable beforeTaking = () -> {};
  volatile Runnable afterTaking = () -> {};

  /** A group of one server. */
  final class Group implements AutoCloseable {
    final int number;
    private final DatabaseProcess process;
    private final Database database;
    volatile LocalNameService names;
    final EntryMoves moves;
    final OtherGroups others;
    final PartitionedNameService service;
    final SoapHttpServer http;
    final RnsConnection client;
    volatile PartitionTable table;
    volatile Runnable beforeAdding = () -> {};
    volatile Runnable beforeQuerying = () -> {};
    volatile long lagMillis;

    Group(Path directory, int number) {
      this.number = number;
      process = TestDatabase.own(directory.resolve("group-" + number));
      database = new Database(TestDatabase.settings(process, number));
      database.migrate();
      names = started();
      table = PartitionTable.whole(number);
      moves = new EntryMoves(number, () -> names, new Direct());
      others =
          new OtherGroups(() -> table, MessageAuthentication.NONE, Duration.ofSeconds(5), TlsTrust.SYSTEM, bytes -> {});
      service = new PartitionedNameService(new Own(this), () -> table, others, moves);
      http = new SoapHttpServer(
          service, null, () -> new Hop.Self("server-" + number, number, "primary", Optional.of(names.position())));
      client = RnsClient.builder().server(http.address()).closeWait(Duration.ZERO).build();
    }

    private LocalNameService started() {
      return LocalNameService.start(
          database, 1 << 20, number == 0 ? TestServices.WRITER : TestServices.PART, InstantSource.system());
    }

    /** What takes in content, at a group whose replicas lag. */
    ContentTarget arriving(EntryId directory) {
      return names.arriving(directory, (of, id) -> groups.get(of).names.ownership(id), () -> lagMillis);
    }

    /** What brings content to another group. */
    DepartingContent departing(EntryId moving, int to, Supplier<ContentTarget> targets) {
      return names.departing(moving, to, targets, ContentMoves.KEPT_BYTES);
    }

    /** Nothing that the database is asked is answered. */
    void pauseDatabase() {
      process.pause();
    }

    void resumeDatabase() {
      process.resume();
    }

    LocalNameService names() {
      return names;
    }

    /** Directories of which the database keeps another number of entries than they have; those to be deleted aside. */
    private List<String> wrongCounts() {
      return database.read(
          connection -> {
            List<String> wrong = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(WRONG_COUNTS)) {
              while (row.next()) {
                wrong.add(
                    "directory " + new EntryId(row.getLong(1)) + " has " + row.getLong(2) + " entries, and "
                        + row.getLong(3) + " are counted");
              }
            }
            return wrong;
          });
    }

    /** Another primary begins on the same database, as after a failure of this one. */
    void replacePrimary() {
      LocalNameService former = names;
      names = started();
      former.close();
    }

    /** No server of a group reports to this one any more. */
    void loseSight(int of) {
      hear(of, List.of(Announcement.unreachable(table.servers().get(of).getFirst().url(), "server-" + of)));
    }

    /** A group reports these servers. */
    void hear(int of, List<Announcement> reported) {
      TreeMap<Integer, List<Announcement>> servers = new TreeMap<>(table.servers());
      servers.put(of, reported);
      table = new PartitionTable(number, table.map(), table.asOf(), table.changed(), servers);
    }

    Announcement announcement() {
      return new Announcement(
          http.address().toString(), "server-" + number, ServerRole.PRIMARY, Site.NONE, 100, 0, 0,
          Optional.of(names.position()));
    }

    @Override
    public void close() {
      client.close();
      http.close();
      service.close();
      database.close();
      process.close();
    }
  }

  /** The namespace of whichever primary the group has. */
  private record Own(Group group) implements NameService {
    @Override
    public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
      group.beforeAdding.run();
      return group.names.add(call, request);
    }

    @Override
    public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      return group.names.list(call, request);
    }

    @Override
    public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
      group.beforeQuerying.run();
      return group.names.query(call, request);
    }

    @Override
    public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
      return group.names.update(call, request);
    }

    @Override
    public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
      return group.names.remove(call, request);
    }

    @Override
    public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
      return group.names.subtree(call, request);
    }

    @Override
    public void close() {
      group.names.close();
    }
  }

  /** Moves from group to group without HTTP, as far as a test lets them. */
  private final class Direct implements EntryMoves.Primaries {
    @Override
    public Answer<Outcome<Entry>> move(CallContext call, int from, DepartRequest request) {
      return groups.get(from).moves.moveHence(call, request);
    }

    @Override
    public Answer<Outcome<Entry>> take(int to, ArriveRequest request) {
      beforeTaking.run();
      Answer<Outcome<Entry>> taken = groups.get(to).moves.take(request);
      afterTaking.run();
      return taken;
    }
  }

  /** Group 0 has the root; nothing is assigned to the others yet. */
  TestTree(Path directory, int size) {
    for (int number = 0; number < size; number++) {
      groups.add(new Group(directory, number));
    }
    teach();
  }

  /** Gives all servers the map as it is now. */
  void teach() {
    Positions asOf = Positions.NONE;
    TreeMap<Integer, List<Announcement>> servers = new TreeMap<>();
    TreeMap<Integer, GroupReport> reports = new TreeMap<>();
    for (Group group : groups) {
      Answer<PartitionMap> own = group.names.partitions();
      List<Partition> cuts = own.value().partitions();
      asOf = cuts.size() > 1 ? asOf.with(own.position()) : asOf;
      servers.put(group.number, List.of(group.announcement()));
      if (group.number > 0) {
        reports.put(
            group.number,
            new GroupReport(group.number, own.position(), List.of(), GroupReport.cuts(Anchors.IN_ROOT, cuts)));
      }
    }
    List<Partition> all =
        Partitions.addReported(groups.getFirst().names.partitions().value().partitions(), reports);
    PartitionMap map = new PartitionMap(all);
    for (Group group : groups) {
      group.table = new PartitionTable(group.number, map, asOf, asOf, servers);
    }
  }

  /** What the primaries of all groups do every second. */
  void completeMoves() {
    for (int times = 0; times < 2; times++) {
      teach();
      for (Group group : groups) {
        new GivenContent(group.number, (of, directory) -> groups.get(of).names.ownership(directory))
            .follow(new GivenContent.CopyRows(group.names), group.table.map());
      }
    }
    teach();
  }

  /**
   * The entries of all partitions as the groups count them from what their databases keep of directories; fails where
   * that differs from the rows.
   */
  Map<RnsPath, Long> countedEntries() {
    Map<RnsPath, Long> counted = new TreeMap<>();
    for (Group group : groups) {
      for (String wrong : group.wrongCounts()) {
        throw new AssertionError("group " + group.number + ": " + wrong);
      }
      Map<EntryId, Long> sizes = Plans.countEntries(group.table, group.names);
      group.table.map().partitions().stream().filter(each -> sizes.containsKey(each.root()))
          .forEach(each -> counted.put(each.path(), sizes.get(each.root())));
    }
    return counted;
  }

  void assign(int from, Target directory, int to) {
    Entry assigned =
        groups.get(from).names.assign(CALL, new AssignRequest(directory, to)).value().orThrow();
    groups.get(to).names.assign(CALL, new AssignRequest(Target.of(assigned.id()), to, assigned.version())).value()
        .orThrow();
  }

  @Override
  public void close() {
    groups.forEach(Group::close);
  }
}
