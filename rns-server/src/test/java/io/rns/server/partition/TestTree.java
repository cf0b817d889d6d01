package io.rns.server.partition;

import io.rns.api.Answer;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Hop;
import io.rns.api.Positions;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.local.DatabaseProcess;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.replication.partition.OtherGroups;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import io.rns.replication.partition.PartitionedNameService;
import io.rns.server.TestDatabase;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.TestServices;
import io.rns.server.soap.SoapHttpServer;
import io.rns.server.store.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A tree over server groups of one server each, with databases of their own, that reach each other over HTTP. */
final class TestTree implements AutoCloseable {
  private static final CallContext CALL = CallContext.ANONYMOUS;

  final List<Group> groups = new ArrayList<>();

  /** A group of one server. */
  static final class Group implements AutoCloseable {
    final int number;
    private final DatabaseProcess process;
    private final Database database;
    private final LocalNameService names;
    final PartitionedNameService service;
    final SoapHttpServer http;
    final RnsConnection client;
    volatile PartitionTable table;

    Group(Path directory, int number) {
      this.number = number;
      process = TestDatabase.own(directory.resolve("group-" + number));
      database = new Database(TestDatabase.settings(process, number));
      database.migrate();
      names = LocalNameService.start(database, 1 << 20, TestServices.WRITER, InstantSource.system());
      table = PartitionTable.whole(number);
      service = new PartitionedNameService(
          names, () -> table, new OtherGroups(() -> table, Duration.ofSeconds(5), bytes -> {}));
      http = new SoapHttpServer(
          service, null, () -> new Hop.Self("server-" + number, number, "primary", Optional.of(names.position())));
      client = RnsClient.builder().server(http.address()).closeWait(Duration.ZERO).build();
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

  /** Group 0 has the root; nothing is assigned to the others yet. */
  TestTree(Path directory, int size) {
    for (int number = 0; number < size; number++) {
      groups.add(new Group(directory, number));
    }
    teach();
  }

  /** Gives all servers the map as it is now. */
  void teach() {
    List<Partition> all = new ArrayList<>();
    Positions asOf = Positions.NONE;
    TreeMap<Integer, List<Announcement>> servers = new TreeMap<>();
    for (Group group : groups) {
      Answer<PartitionMap> own = group.names.partitions();
      asOf = own.value().partitions().size() > 1 ? asOf.with(own.position()) : asOf;
      servers.put(group.number, List.of(group.announcement()));
      List<Partition> cuts = own.value().partitions();
      List<Partition> mapped =
          group.number == 0
              ? cuts
              : new GroupReport(
                  group.number, own.position(), List.of(),
                  cuts.stream().filter(each -> !each.path().isRoot()).map(GroupReport.Cut::of).toList()).below(all);
      all.addAll(mapped);
    }
    for (Group group : groups) {
      group.table =
          new PartitionTable(group.number, new PartitionMap(all), asOf, asOf, servers);
    }
  }

  void assign(int from, Target directory, int to) {
    Entry assigned =
        groups.get(from).names.assign(CALL, new AssignRequest(directory, to)).value().orThrow();
    groups.get(to).names.assign(CALL, new AssignRequest(Target.of(assigned.id()), to)).value().orThrow();
  }

  @Override
  public void close() {
    groups.forEach(Group::close);
  }
}
