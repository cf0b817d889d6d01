package io.rns.server.group;

import io.rns.client.http.TlsTrust;
import io.rns.replication.member.DatabaseMember;
import io.rns.replication.member.GroupSettings;
import io.rns.replication.member.MemberLoop;
import io.rns.replication.member.OtherMembers;
import io.rns.replication.member.LocalMember;
import io.rns.error.RnsException;
import io.rns.replication.CurrentRole;
import io.rns.identity.CallerPassing;
import io.rns.permission.AccessControl;
import io.rns.replication.Forwarding;
import io.rns.replication.GroupMember;
import io.rns.replication.Handover;
import io.rns.replication.MemberList;
import io.rns.replication.RoleState;
import io.rns.replication.RoutingNameService;
import io.rns.replication.Term;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import io.rns.server.TestDatabase;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.WriterSettings;
import io.rns.server.soap.SoapHttpServer;
import io.rns.server.store.Database;
import io.rns.server.store.DatabaseSettings;
import io.rns.server.store.TestMember;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Servers of one group in this JVM, each with a database process of its own and an HTTP server for what is forwarded.
 */
final class TestGroup implements AutoCloseable {
  static final WriterSettings WRITER =
      new WriterSettings(
          4_096, 256, Duration.ofSeconds(15), Duration.ofHours(24), Duration.ofHours(72), GroupSettings.BEAT, true);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** One server with its database. */
  static final class Server implements AutoCloseable {
    final TestMember process;
    final CurrentRole standings = new CurrentRole(RoleState.starting("new"));
    private final CallerPassing passing = new CallerPassing("secret", "test", InstantSource.system());
    final RoutingNameService service =
        new RoutingNameService(standings,
            new Forwarding(passing, WRITER.timeout(), TlsTrust.SYSTEM, GroupMembership::noteAnswer),
            WRITER.timeout());
    final LocalMember<LocalNameService> member;
    final OtherMembers peers;
    final MemberLoop loop;
    private final SoapHttpServer http = new SoapHttpServer(service, passing);
    private final Database database;

    private final Object turns = new Object();
    private volatile boolean frozen;
    private volatile boolean silent;

    private Server(
        TestMember process, int number, String databaseAddress, Durability durability, boolean automatic,
        WriterSettings writer, Function<String, GroupMember> reach) {
      this.process = process;
      DatabaseSettings settings = TestDatabase.impatient(process.jdbcUrl());
      database = new Database(settings);
      GroupSettings group =
          new GroupSettings(
              process.topology(),
              "server-" + number,
              http.address().toString(),
              List.of(),
              "secret",
              databaseAddress,
              TestMember.CONTROL_USER,
              TestMember.CONTROL_PASSWORD,
              durability,
              automatic);
      peers = new OtherMembers(group.url(), List.of(), reach, Timing.system());
      member =
          new LocalMember<>(
              group,
              database::migrate,
              process::member,
              () -> LocalNameService.open(
                  database, 8 << 20, writer, InstantSource.system(), AccessControl.open(),
                  process.topology() == Topology.GROUP),
              standings,
              peers,
              writer.lease(),
              Timing.system());
      loop = new MemberLoop(group, member, peers, reach, writer.lease(), Timing.system());
    }

    boolean hasEnded() {
      return silent;
    }

    /** Its copy, which there is by then. */
    LocalNameService copy() {
      LocalNameService copy = member.copy();
      if (copy == null) {
        throw new AssertionError(standings.now());
      }
      return copy;
    }

    /** Ends the server, not its database. The others hear nothing of it any more. */
    void silence() {
      silent = true;
      peers.close();
      http.close();
      service.close();
      member.close();
      database.close();
    }

    @Override
    public void close() {
      if (!silent) {
        silence();
      }
      process.close();
    }
  }

  final List<Server> servers = new CopyOnWriteArrayList<>();
  private final Path directory;
  private final Topology topology;
  private final Durability durability;
  private final boolean automatic;
  private final WriterSettings writer;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final ExecutorService looks = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Thread> watches = new ArrayList<>();

  TestGroup(Path directory, int count) {
    this(directory, count, Topology.SOURCE_REPLICA);
  }

  TestGroup(Path directory, int count, Topology topology) {
    this(directory, count, topology, false);
  }

  TestGroup(Path directory, int count, Topology topology, boolean automatic) {
    this(directory, count, topology, automatic, WRITER);
  }

  TestGroup(Path directory, int count, Topology topology, boolean automatic, WriterSettings writer) {
    this(directory, count, topology, Durability.REPLICATED, automatic, writer);
  }

  TestGroup(
      Path directory, int count, Topology topology, Durability durability, boolean automatic, WriterSettings writer) {
    this.writer = writer;
    this.durability = durability;
    this.automatic = automatic;
    this.directory = directory;
    this.topology = topology;
    List<CompletableFuture<Server>> starting =
        IntStream.rangeClosed(1, count)
            .mapToObj(number -> CompletableFuture.supplyAsync(() -> newServer(number), looks))
            .toList();
    starting.forEach(server -> servers.add(server.join()));
    servers.forEach(this::introduce);
    servers.forEach(this::startWatch);
  }

  private void introduce(Server one) {
    for (Server other : servers) {
      one.peers.hear(other.member.url());
      other.peers.hear(one.member.url());
    }
  }

  private void startWatch(Server server) {
    watches.add(Thread.ofPlatform().name("watch of " + server.member.url()).start(() -> watch(server)));
  }

  /** One more, with an empty database. */
  Server addServer() {
    return add(newServer(servers.size() + 1));
  }

  /** One more, whose database tells the others an address where it is not. */
  Server addServerWithDatabaseAt(String address) {
    int number = servers.size() + 1;
    return add(new Server(newProcess(number), number, address, durability, automatic, writer, this::reach));
  }

  private Server add(Server server) {
    servers.add(server);
    introduce(server);
    startWatch(server);
    return server;
  }

  private Server newServer(int number) {
    TestMember process = newProcess(number);
    return new Server(process, number, "127.0.0.1:" + process.port(), durability, automatic, writer, this::reach);
  }

  private TestMember newProcess(int number) {
    Path home = directory.resolve("db" + number);
    return topology == Topology.GROUP ? TestMember.startGrouped(home, number) : TestMember.start(home, number);
  }

  /** What each server does by itself: looks at the others, and takes its side. */
  private void watch(Server server) {
    try {
      server.peers.start();
      while (!closing.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS) && !server.silent) {
        synchronized (server.turns) {
          if (!server.frozen) {
            server.loop.turn();
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  GroupMember reach(String url) {
    return new DistantMember(server(url), looks);
  }

  Server server(String url) {
    return servers.stream().filter(server -> server.member.url().equals(url)).findFirst().orElseThrow();
  }

  /** A later term than this one has promised. */
  static Term nextTerm(Server server) {
    return new Term(server.member.report().allegiance().latest() + 1, "http://operator");
  }

  /** Its database receives nothing from now on, and the server does nothing about that before it is thawed. */
  static void cutOff(Server server) {
    freeze(server);
    try (DatabaseMember database = server.process.member()) {
      database.stopReceiving();
    }
  }

  /** The server does nothing by itself before it is thawed; it serves as before. */
  static void freeze(Server server) {
    synchronized (server.turns) {
      server.frozen = true;
    }
  }

  static void thaw(Server... servers) {
    for (Server server : servers) {
      server.frozen = false;
    }
  }

  Handover handover() {
    List<GroupMember> members =
        servers.stream().filter(server -> !server.silent).map(server -> (GroupMember) server.member).toList();
    return new Handover(topology, "http://operator", members, true, writer.lease(), Timing.system());
  }

  Handover.Result failover() {
    return handover().failover(Optional.empty(), false);
  }

  /** As {@code ./rns join} does: rebuilds a server's copy, and adds it if it is no member. */
  MemberList join(Server server, Server primary) {
    var unused = server.member.join(primary.member.report());
    return primary.member.add(reach(server.member.url()));
  }

  @Override
  public void close() {
    closing.countDown();
    for (Thread watch : watches) {
      try {
        watch.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    servers.forEach(
        server -> {
          try {
            server.close();
          } catch (RnsException e) {
            throw new AssertionError("a server does not close", e);
          }
        });
    looks.close();
  }
}
