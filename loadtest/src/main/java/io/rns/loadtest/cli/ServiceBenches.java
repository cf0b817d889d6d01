package io.rns.loadtest.cli;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.contest.FrontContest;
import io.rns.loadtest.contest.PartitionContest;
import io.rns.loadtest.contest.PeerContest;
import io.rns.loadtest.contest.PeerContest.Candidate;
import io.rns.loadtest.contest.ScaleOutContest;
import io.rns.loadtest.contest.SecurityContest;
import io.rns.loadtest.contest.SiteContest;
import io.rns.loadtest.contest.SkewContest;
import io.rns.loadtest.contest.WriteContest;
import io.rns.loadtest.jdbc.TablePeer;
import io.rns.loadtest.launcher.LoadtestEnvironment;
import io.rns.loadtest.launcher.Scratch;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.peer.EtcdPeer;
import io.rns.loadtest.peer.OpenLdapPeer;
import io.rns.loadtest.peer.PeerService;
import io.rns.loadtest.peer.Programs;
import io.rns.loadtest.peer.ZooKeeperPeer;
import io.rns.loadtest.quota.Quota;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.YardstickPeer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands of {@code ./rns bench} for the name service. */
final class ServiceBenches {
  private static final int GROUP_CLEANING_SECONDS = 200;

  private ServiceBenches() {}

  private static void requireProcessors(double cpus) {
    LoadtestCommand.require(
        "--cpus", cpus == 0 || (cpus >= Quota.LEAST && cpus <= 1_000), "0, or " + Quota.LEAST + " to 1000");
  }

  enum PeerName {
    ZOOKEEPER, OPENLDAP, ETCD, JDBC, JAXWS, SERVLET
  }

  @Command(name = "peers", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare queries, additions and listings of a running service with those of other services.",
      "Each has the same tree and as many clients; several numbers of clients, as in 1,12,64,100, alternate. Peers are "
          + "started on 127.0.0.1 and removed afterwards. A peer that is not available is left out, with the reason.",
      "zookeeper: ZooKeeper. openldap, etcd: those of Debian, downloaded on first use. jdbc: plain statements on the "
          + "database of the service. jaxws, servlet: a null operation and an echo in the same application server, if "
          + "./rns up --yardstick has deployed them; for queries only."
  }, footer = {
      "",
      "Examples:",
      "  ./rns up --yardstick --detach",
      "  ./rns bench peers --seconds 5",
      "  ./rns bench peers --clients 1,12,64,100 --seconds 5",
      "  ./rns bench peers --peer zookeeper --via raw --json"
  })
  static final class Peers extends Bench {
    @Mixin private ServerOption server = new ServerOption();

    @Option(names = "--peer", paramLabel = "P", split = ",", defaultValue = "zookeeper,openldap,etcd,jdbc,jaxws,servlet", description = "Peers, of ${DEFAULT-VALUE} (default: all).") private List<PeerName> peers;

    @Mixin private TurnOptions turns = new TurnOptions(12, 10, 8, 3);

    @Option(names = "--paths", paramLabel = "N", defaultValue = "10000", description = "Names to look up, at depth four (default: ${DEFAULT-VALUE}).") private int paths;

    @Option(names = "--fan-out", paramLabel = "N", defaultValue = "100", description = "Names in each directory, and so in a listing (default: ${DEFAULT-VALUE}).") private int fanOut;

    @Option(names = "--via", paramLabel = "V", defaultValue = "client", description = {
        "How RNS is called: through its Java client (client), as peers through theirs, or by prepared messages (raw) "
            + "(default: ${DEFAULT-VALUE})."
    }) private LoadTransport via = LoadTransport.CLIENT;

    @Mixin private PeerOptions place = new PeerOptions();

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      require("--paths", paths >= 1 && paths <= 1_000_000, "1 to 1000000");
      require("--fan-out", fanOut >= 1 && fanOut <= PeerService.PAGE, "1 to " + PeerService.PAGE);
      List<Integer> counts = turns.clientCounts();
      PeerContest contest = new PeerContest(server.endpoint(), via, paths, fanOut, counts, turns.contest());
      try (RnsConnection connection =
          RnsClient.builder().server(server.url).connections(Collections.max(counts)).build();
          Scratch scratch = Scratch.in(place.data(), "peers")) {
        List<Candidate> candidates = peers.stream().distinct().map(peer -> candidate(peer, scratch)).toList();
        return contest.run(connection, candidates, progress);
      }
    }

    private Candidate candidate(PeerName peer, Scratch scratch) {
      String name = peer.name().toLowerCase(Locale.ROOT);
      return new Candidate(
          name,
          () -> switch (peer) {
            case ZOOKEEPER -> ZooKeeperPeer.start(scratch.directory(name));
            case OPENLDAP -> OpenLdapPeer.start(scratch.directory(name), programs());
            case ETCD -> EtcdPeer.start(scratch.directory(name), programs());
            case JDBC -> TablePeer.create(place.database(server.url), List.of());
            case JAXWS -> YardstickPeer.jaxWs(HttpTarget.of(server.endpoint(), server.trust(Optional.empty())));
            case SERVLET -> YardstickPeer.servlet(HttpTarget.of(server.endpoint(), server.trust(Optional.empty())));
          });
    }

    private static Programs programs() {
      return new Programs(
          LoadtestEnvironment.launcher().map(launcher -> launcher.resolveSibling("docker/peer-debian.sh")));
    }
  }

  /** The database and the disk that a service and its peers share. */
  static final class PeerOptions {
    @Option(names = "--jdbc", paramLabel = "URL", description = "Database for plain statements (default: that of ./rns up).") private @Nullable String jdbc;

    @Option(names = "--data", paramLabel = "DIR", description = {
        "Data directory of the service (default: $RNS_DATA or ~/.rns). Peers use a new directory in it, so that all "
            + "write to the same disk."
    }) private @Nullable Path data;

    Path data() {
      return data == null ? LoadtestEnvironment.data() : data;
    }

    String database(URI server) {
      return Optional.ofNullable(jdbc)
          .or(() -> RunningService.in(data()).database(server))
          .orElseThrow(() -> PeerService.missing(
              "no database given, and none found in the data directory (--jdbc URL, --data DIR)"));
    }
  }

  @Command(name = "writes", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare changes, listings and uncached lookups of a running service with plain SQL statements and ZooKeeper, and "
          + "time import, export and find of 66,494 entries.",
      "Single additions run with each number of clients, everything else with the second one. Starts ZooKeeper, and a "
          + "service without a cache, on free ports of 127.0.0.1, and removes them afterwards."
  }, footer = {"", "Examples:", "  ./rns up --detach", "  ./rns bench writes --rounds 5 --json"})
  static final class Writes extends Bench {
    @Mixin private ServerOption server = new ServerOption();

    @Mixin private TurnOptions turns = new TurnOptions(List.of(1, 12, 64, 100), 4, 8, 3);

    @Mixin private PeerOptions place = new PeerOptions();

    private final Path launcher;

    Writes(Path launcher) {
      this.launcher = launcher;
    }

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      List<Integer> counts = turns.clientCounts();
      Processors processes = new Processors(RunningService.in(place.data()).processes(server.url));
      WriteContest contest = new WriteContest(launcher, server.url, counts, turns.contest(),
          new Observer(processes, second -> {}, () -> {}));
      try (RnsConnection connection =
          RnsClient.builder().server(server.url).connections(Collections.max(counts)).build();
          Scratch scratch = Scratch.in(place.data(), "peers");
          PeerService table = TablePeer.create(place.database(server.url), List.of());
          PeerService tree = ZooKeeperPeer.start(scratch.directory("zookeeper"))) {
        HttpTarget target = HttpTarget.of(server.endpoint(), server.trust(Optional.empty()));
        return contest.run(connection, target, table, tree, progress);
      }
    }
  }

  @Command(name = "scale-out", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare the queries per second of two replicas with those of one.",
      "Starts a primary and two replicas on free ports of this machine, holds each replica to a share of the processors, "
          + "and removes them at the end, also after Ctrl-C. Holding processes needs control groups of Linux and mostly "
          + "root."
  }, footer = {
      "",
      "Examples:",
      "  ./rns bench scale-out",
      "  ./rns bench scale-out --cpus 0.25 --rounds 6 --json",
      "  ./rns bench scale-out --cpus 0              not held, for machines with processors for all"
  })
  static final class ScaleOut extends Bench {
    @Option(names = "--cpus", paramLabel = "N", defaultValue = "0.5", description = "Processors that each server may use; 0: no limit (default: ${DEFAULT-VALUE}).") private double cpus;

    @Mixin private TurnOptions turns = new TurnOptions(6, 5, 25, 4);

    private final Path launcher;

    ScaleOut(Path launcher) {
      super(GROUP_CLEANING_SECONDS);
      this.launcher = launcher;
    }

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      requireProcessors(cpus);
      require("--warm-up", !turns.warmUp().isZero(), "above 0 and up to 3600");
      Contest contest = turns.contest();
      // Warm-up is for servers that are not held yet.
      Contest warm = new Contest(contest.rounds(), Duration.ZERO, contest.turn());
      return new ScaleOutContest(cpus, turns.clients(), contest.warmUp(), warm).run(launcher, progress);
    }
  }

  @Command(name = "partitions", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare a tree of two server groups with a tree of one.",
      "Parts: undivided (two groups with nothing assigned, against a single server), additions, lookups (across the "
          + "cut), moves (of content under 300 requests per second, and renames to the other group).",
      "Starts two groups on free ports of this machine, and removes them at the end, also after Ctrl-C. Only additions "
          + "are measured with groups held to a share of the processors, which needs control groups of Linux and mostly "
          + "root."
  }, footer = {
      "",
      "Examples:",
      "  ./rns bench partitions",
      "  ./rns bench partitions --part moves --entries 100000 --json",
      "  ./rns bench partitions --cpus 0             not held, for machines with processors for all"
  })
  static final class Partitions extends Bench {
    @Option(names = "--part", paramLabel = "P", split = ",", description = "Parts to measure: undivided, additions, lookups, moves (default: all).") private List<PartitionContest.Part> parts =
        List.of(PartitionContest.Part.values());

    @Option(names = "--cpus", paramLabel = "N", defaultValue = "0.5", description = "Processors that server and database of a group may use together; 0: no limit (default: ${DEFAULT-VALUE}).") private double cpus;

    @Option(names = "--entries", paramLabel = "N", defaultValue = "1000000", description = "Entries of the large partition that moves (default: ${DEFAULT-VALUE}).") private int entries;

    @Option(names = "--moves", paramLabel = "N", defaultValue = "10", description = "Moves of the small partition, there and back (default: ${DEFAULT-VALUE}).") private int moves;

    @Mixin private TurnOptions turns = new TurnOptions(32, 5, 15, 5);

    private final Path launcher;

    Partitions(Path launcher) {
      super(GROUP_CLEANING_SECONDS);
      this.launcher = launcher;
    }

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      requireProcessors(cpus);
      require("--entries", entries >= 1 && entries <= 100_000_000, "1 to 100000000");
      require("--moves", moves >= 1 && moves <= 1_000, "1 to 1000");
      require("--warm-up", !turns.warmUp().isZero(), "above 0 and up to 3600");
      return new PartitionContest(EnumSet.copyOf(parts), cpus, turns.clients(), entries, moves, turns.contest())
          .run(launcher, progress);
    }
  }

  @Command(name = "skew", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare automatic partitioning with static partitions while most requests move from subtree to subtree.",
      "80 %% of the requests concern one of eight subtrees, another one in each phase. In each phase two static maps, for "
          + "half of its time, and automatic moves take turns.",
      "Starts two services of three groups on free ports of this machine, and removes them, also after Ctrl-C. Holding "
          + "processes needs control groups of Linux and mostly root."
  }, footer = {"", "Examples:", "  ./rns bench skew", "  ./rns bench skew --phases 8 --seconds 120 --json"})
  static final class Skew extends Bench {
    @Option(names = "--cpus", paramLabel = "N", defaultValue = "0.5", description = "Processors that server and database of a group may use together; 0: no limit (default: ${DEFAULT-VALUE}).") private double cpus;

    @Option(names = "--clients", paramLabel = "N", defaultValue = "128", description = "Concurrent clients (default: ${DEFAULT-VALUE}).") private int clients;

    @Option(names = "--phases", paramLabel = "N", defaultValue = "4", description = "Subtrees that have most of the requests, one after the other (default: ${DEFAULT-VALUE}).") private int phases;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "120", description = "Time of each phase with automatic moves (default: ${DEFAULT-VALUE}).") private double seconds;

    @Option(names = "--warm-up", paramLabel = "S", defaultValue = "25", description = "Load of each group before measuring, not held; longer while it gets faster (default: ${DEFAULT-VALUE}).") private double warmUp;

    private final Path launcher;

    Skew(Path launcher) {
      super(GROUP_CLEANING_SECONDS);
      this.launcher = launcher;
    }

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      requireProcessors(cpus);
      require("--clients", clients >= 1 && clients <= 1_000, "1 to 1000");
      require("--phases", phases >= 1 && phases <= 1_000, "1 to 1000");
      require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
      require("--warm-up", warmUp > 0 && warmUp <= 3_600, "above 0 and up to 3600");
      return new SkewContest(cpus, clients, phases, ofSeconds(seconds), ofSeconds(warmUp)).run(launcher, progress);
    }
  }

  @Command(name = "fronts", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare fronts with servers alone.",
      "Parts: queries (through a front), shares (a front and a server against two servers, each held to a share of the "
          + "processors), direct (listings that clients fetch from one to four servers, each held to half of that "
          + "share), migrations (of a front under 5000 requests per second, and under other loads that it passes on), idle (memory of 10000 connections).",
      "Starts up to two services, or one of four servers, on free ports of this machine, and removes them at the end, "
          + "also after Ctrl-C. Holding processes needs control groups of Linux and mostly root."
  }, footer = {
      "",
      "Examples:",
      "  ./rns bench fronts",
      "  ./rns bench fronts --part queries,migrations --json"
  })
  static final class Fronts extends Bench {
    @Option(names = "--part", paramLabel = "P", split = ",", description = "Parts to measure: queries, shares, direct, migrations, idle (default: all).") private List<FrontContest.Part> parts =
        List.of(FrontContest.Part.values());

    @Option(names = "--cpus", paramLabel = "N", defaultValue = "0.5", description = "Processors that a server with its database may use, and a front (default: ${DEFAULT-VALUE}).") private double cpus;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "5000", description = "Connections of clients while fronts are replaced (default: ${DEFAULT-VALUE}).") private int connections;

    @Option(names = "--migrations", paramLabel = "N", defaultValue = "20", description = "How often a front is replaced (default: ${DEFAULT-VALUE}).") private int migrations;

    @Mixin private TurnOptions turns = new TurnOptions(24, 5, 10, 5);

    private final Path launcher;

    Fronts(Path launcher) {
      super(GROUP_CLEANING_SECONDS);
      this.launcher = launcher;
    }

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      require("--cpus", cpus >= 2 * Quota.LEAST && cpus <= 1_000, 2 * Quota.LEAST + " to 1000");
      require("--connections", connections >= 1 && connections <= 10_000, "1 to 10000");
      require("--migrations", migrations >= 1 && migrations <= 1_000, "1 to 1000");
      require("--warm-up", !turns.warmUp().isZero(), "above 0 and up to 3600");
      return new FrontContest(EnumSet.copyOf(parts), cpus, turns.clients(), connections, migrations, turns.contest())
          .run(launcher, progress);
    }
  }

  @Command(name = "sites", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare a replica beside the client with a primary at another site.",
      "Starts both on free ports of this machine with a delay between them, and removes them at the end, also after "
          + "Ctrl-C. Measures queries, and lookups of junctions that the same client has just added."
  }, footer = {"", "Example: ./rns bench sites --delay 75 --rounds 3 --json"})
  static final class Sites extends Bench {
    @Option(names = "--delay", paramLabel = "MS", defaultValue = "75", description = "Delay between the sites, in each direction (default: ${DEFAULT-VALUE}).") private int delay;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "40", description = "Additions per second, each looked up afterwards (default: ${DEFAULT-VALUE}).") private double rate;

    @Mixin private TurnOptions turns = new TurnOptions(12, 4, 8, 3);

    private final Path launcher;

    Sites(Path launcher) {
      super(GROUP_CLEANING_SECONDS);
      this.launcher = launcher;
    }

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      require("--delay", delay >= 0 && delay <= 1_000, "0 to 1000");
      require("--rate", rate > 0 && rate <= 1_000, "above 0 and up to 1000");
      return new SiteContest(ofMillis(delay), turns.clients(), rate, turns.contest()).run(launcher, progress);
    }
  }

  @Command(name = "security", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare requests with credentials, access rules and HTTPS with those at an open service, services with an audit "
          + "log with services without, and one caller alone with one beside others that import.",
      "Starts up to three services at once on free ports of this machine, and removes them at the end, also after "
          + "Ctrl-C. The equal share of one caller is made by control groups of Linux, which mostly need root."
  }, footer = {"", "Example: ./rns bench security --rounds 5 --json"})
  static final class Security extends Bench {
    @Option(names = "--importers", paramLabel = "N", defaultValue = "20", description = "Callers that import, in batches of 100 (default: ${DEFAULT-VALUE}).") private int importers;

    @Mixin private TurnOptions turns = new TurnOptions(12, 5, 15, 5);

    private final Path launcher;

    Security(Path launcher) {
      super(GROUP_CLEANING_SECONDS);
      this.launcher = launcher;
    }

    @Override
    Contest.Report measure(Consumer<String> progress) throws InterruptedException {
      require("--importers", importers >= 1 && importers <= 200, "1 to 200");
      return new SecurityContest(turns.clients(), importers, turns.contest()).run(launcher, progress);
    }
  }
}
