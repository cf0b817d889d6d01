package io.rns.loadtest.cli;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.contest.PeerContest;
import io.rns.loadtest.contest.PeerContest.Candidate;
import io.rns.loadtest.jdbc.TablePeer;
import io.rns.loadtest.launcher.Scratch;
import io.rns.loadtest.peer.EtcdPeer;
import io.rns.loadtest.peer.OpenLdapPeer;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.peer.Programs;
import io.rns.loadtest.peer.ZooKeeperPeer;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.YardstickPeer;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./rns bench peers}: a running service against other services that keep names. */
@Command(name = "peers", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare queries, additions and listings of a running service with those of other services.",
    "Each has the same tree and as many clients. Peers are started on 127.0.0.1 and removed afterwards. A peer that "
        + "is not available is left out, with the reason.",
    "zookeeper: ZooKeeper. openldap, etcd: those of Debian, downloaded on first use. jdbc: plain statements on the "
        + "database of the service. jaxws, servlet: a null operation and an echo in the same application server, if "
        + "./rns up --yardstick has deployed them; for queries only."
}, footer = {
    "",
    "Examples:",
    "  ./rns up --yardstick --detach",
    "  ./rns bench peers --seconds 5",
    "  ./rns bench peers --peer zookeeper --via raw --json"
})
final class BenchPeers extends Bench {
  /** What there is to compare with. */
  enum Name {
    ZOOKEEPER, OPENLDAP, ETCD, JDBC, JAXWS, SERVLET
  }

  @Option(names = "--server", paramLabel = "URL", defaultValue = "${env:RNS_SERVER:-http://127.0.0.1:8080/rns}", description = "Service (default: $RNS_SERVER or http://127.0.0.1:8080/rns).") private URI server =
      URI.create("");

  @Option(names = "--peer", paramLabel = "P", split = ",", defaultValue = "zookeeper,openldap,etcd,jdbc,jaxws,servlet", description = "Peers, of ${DEFAULT-VALUE} (default: all).") private List<Name> peers =
      List.of();

  @Mixin private TurnOptions turns = new TurnOptions();

  @Option(names = "--paths", paramLabel = "N", defaultValue = "10000", description = "Names to look up, at depth four (default: ${DEFAULT-VALUE}).") private int paths;

  @Option(names = "--fan-out", paramLabel = "N", defaultValue = "100", description = "Names in each directory, and so in a listing (default: ${DEFAULT-VALUE}).") private int fanOut;

  @Option(names = "--via", paramLabel = "V", defaultValue = "client", description = {
      "How RNS is called: through its Java client (client), as peers through theirs, or by prepared messages (raw) "
          + "(default: ${DEFAULT-VALUE})."
  }) private LoadTransport via = LoadTransport.CLIENT;

  @Option(names = "--jdbc", paramLabel = "URL", description = "Database for jdbc (default: that of ./rns up).") private @Nullable String jdbc;

  @Option(names = "--data", paramLabel = "DIR", description = {
      "Data directory of the service (default: $RNS_DATA or ~/.rns). Peers use a new directory in it, so that all "
          + "write to the same disk."
  }) private @Nullable Path data;

  private BenchPeers() {}

  @Override
  Map<String, String> defaults() {
    return Map.of("--clients", "12", "--seconds", "10", "--warm-up", "8", "--rounds", "3");
  }

  @Override
  Contest.Report measure(Consumer<String> progress) throws InterruptedException {
    require("--paths", paths >= 1 && paths <= 1_000_000, "1 to 1000000");
    require("--fan-out", fanOut >= 1 && fanOut <= Peer.PAGE, "1 to " + Peer.PAGE);
    PeerContest contest = new PeerContest(endpoint(), via, paths, fanOut, turns.clients(), turns.contest());
    Path usual = data == null ? RunningService.usualData(System.getenv()) : data;
    try (RnsConnection connection = RnsClient.builder().server(server).connections(turns.clients()).build();
        Scratch scratch = Scratch.in(usual, "peers")) {
      return contest.run(connection, peers.stream().distinct().map(peer -> candidate(peer, scratch, usual)).toList(),
          progress);
    }
  }

  private Candidate candidate(Name peer, Scratch scratch, Path usual) {
    String name = peer.name().toLowerCase(Locale.ROOT);
    return new Candidate(
        name,
        () -> switch (peer) {
          case ZOOKEEPER -> ZooKeeperPeer.start(scratch.directory(name));
          case OPENLDAP -> OpenLdapPeer.start(scratch.directory(name), programs());
          case ETCD -> EtcdPeer.start(scratch.directory(name), programs());
          case JDBC -> TablePeer.create(database(usual), List.of());
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
        .orElseThrow(() -> Peer.missing(
            "no database given, and none found in the data directory (--jdbc URL, --data DIR)"));
  }
}
