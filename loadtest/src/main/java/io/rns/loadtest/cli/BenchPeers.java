package io.rns.loadtest.cli;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.LoadTransport;
import io.rns.loadtest.PeerBenchmark;
import io.rns.loadtest.PeerBenchmark.Candidate;
import io.rns.loadtest.YardstickPeer;
import io.rns.loadtest.jdbc.TablePeer;
import io.rns.loadtest.launcher.Scratch;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.peer.EtcdPeer;
import io.rns.loadtest.peer.OpenLdapPeer;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.peer.Programs;
import io.rns.loadtest.peer.ZooKeeperPeer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench peers}: compares a running service with other naming services. */
@Command(name = "peers", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare a running service with other naming services.",
    "Looks up, adds and lists names, in turns, with the same tree and number of clients. Starts peers on 127.0.0.1 and removes them "
        + "afterwards; omits unavailable peers, with the reason.",
    "zookeeper: ZooKeeper. openldap, etcd: the Debian packages, downloaded on first use. jdbc: plain statements on the database of the service. "
        + "jaxws, servlet: a no-op operation and an echo in the same application server, deployed by ./rns up --yardstick, for queries only."
}, footer = {
    "",
    "Examples:",
    "  ./rns up --yardstick --detach",
    "  ./rns bench peers --seconds 5",
    "  ./rns bench peers --peer zookeeper --via raw --json"
})
final class BenchPeers extends Bench {
  private static final int LATER = 4;

  /** The peers. */
  enum Name {
    ZOOKEEPER, OPENLDAP, ETCD, JDBC, JAXWS, SERVLET
  }

  @Option(names = "--server", paramLabel = "URL", defaultValue = "${env:RNS_SERVER:-http://127.0.0.1:8080/rns}", description = "Service (default: $RNS_SERVER or http://127.0.0.1:8080/rns).") private URI server =
      URI.create("");

  @Option(names = "--peer", paramLabel = "P", split = ",", defaultValue = "zookeeper,openldap,etcd,jdbc,jaxws,servlet", description = "Peers to run, of ${DEFAULT-VALUE} (default: all).") private List<Name> peers =
      List.of();

  @Option(names = "--clients", paramLabel = "N", defaultValue = "12", description = "Number of concurrent clients (default: ${DEFAULT-VALUE}).") private int clients;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "10", description = "Measured seconds of each turn (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "8", description = "Warm-up seconds of the first round; a quarter in later rounds (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3", description = "Number of rounds; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

  @Option(names = "--paths", paramLabel = "N", defaultValue = "10000", description = "Number of paths to look up, each of four names (default: ${DEFAULT-VALUE}).") private int paths;

  @Option(names = "--fan-out", paramLabel = "N", defaultValue = "100", description = "Number of entries per directory and listing (default: ${DEFAULT-VALUE}).") private int fanOut;

  @Option(names = "--via", paramLabel = "V", defaultValue = "client", description = {
      "Access to RNS: client, the Java client, as for peers; raw, prepared messages "
          + "(default: ${DEFAULT-VALUE})."
  }) private LoadTransport via = LoadTransport.CLIENT;

  @Option(names = "--jdbc", paramLabel = "URL", description = "Database for jdbc (default: the database of ./rns up).") private @Nullable String jdbc;

  @Option(names = "--data", paramLabel = "DIR", description = {
      "Data directory of the service (default: $RNS_DATA or ~/.rns). Peers use a new directory in it, hence the same disk."
  }) private @Nullable Path data;

  private Map<String, String> notes = Map.of();

  private BenchPeers() {}

  @Override
  Map<String, String> notes() {
    return notes;
  }

  @Override
  List<Row> measure(Consumer<String> progress) throws InterruptedException {
    check();
    Duration measured = ofSeconds(seconds);
    PeerBenchmark benchmark =
        new PeerBenchmark(
            endpoint(),
            via,
            paths,
            fanOut,
            clients,
            rounds,
            new Schedule(ofSeconds(warmUp), measured),
            new Schedule(ofSeconds(warmUp / LATER), measured));
    Path usual = data == null ? RunningService.usualData(System.getenv()) : data;
    try (RnsConnection connection = RnsClient.builder().server(server).connections(clients).build();
        Scratch scratch = Scratch.in(usual, "peers")) {
      List<Candidate> candidates = peers.stream().distinct().map(peer -> candidate(peer, scratch, usual)).toList();
      PeerBenchmark.Report report = benchmark.run(connection, candidates, progress);
      notes = report.notes();
      return report.rows();
    }
  }

  private void check() {
    require("--clients", clients >= 1 && clients <= 1_000, "1 to 1000");
    require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    require("--paths", paths >= 1 && paths <= 1_000_000, "1 to 1000000");
    require("--fan-out", fanOut >= 1 && fanOut <= Peer.PAGE, "1 to " + Peer.PAGE);
  }

  private Candidate candidate(Name peer, Scratch scratch, Path usual) {
    String name = peer.name().toLowerCase(Locale.ROOT);
    return new Candidate(
        name,
        () -> switch (peer) {
          case ZOOKEEPER -> ZooKeeperPeer.start(scratch.directory(name));
          case OPENLDAP -> OpenLdapPeer.start(scratch.directory(name), programs());
          case ETCD -> EtcdPeer.start(scratch.directory(name), programs());
          case JDBC -> TablePeer.create(database(usual));
          case JAXWS -> YardstickPeer.jaxWs(endpoint());
          case SERVLET -> YardstickPeer.servlet(endpoint());
        });
  }

  private String endpoint() {
    return RnsClient.soapEndpoint(server).toString();
  }

  private static Programs programs() {
    return new Programs(
        Optional.ofNullable(System.getProperty("rns.launcher"))
            .map(launcher -> Path.of(launcher).resolveSibling("docker/peer-debian.sh")));
  }

  private String database(Path usual) {
    return Optional.ofNullable(jdbc)
        .or(() -> RunningService.jdbcUrl(usual, server))
        .orElseThrow(
            () -> new RnsException(
                RnsError.UNAVAILABLE,
                "no database given, and none found in the data directory (--jdbc URL, --data DIR)"));
  }
}
