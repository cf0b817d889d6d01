package io.rns.loadtest.cli;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.loadtest.ResolutionBenchmark;
import io.rns.loadtest.ResolutionBenchmark.Dns;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench resolution}: how often a running service resolves pools, by each of its protocols. */
@Command(name = "resolution", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Resolves a pool of three elements of a running service by SOAP, by ASAP over TCP and by DNS over UDP, in turns with queries of "
        + "cached names. Each client sends its next request when the former one is answered.",
    "ASAP and DNS are asked on 127.0.0.1, and only if their ports are given; beside each, the same clients ask a process that gives the "
        + "same answer to everybody (echo): what the machine and they can do at most."
}, footer = {
    "",
    "Example:",
    "  RNS_DNS_ZONE=rns.example.org RNS_DNS_PORT=5353 ./rns up --detach",
    "  ./rns status --json | grep asap",
    "  ./rns bench resolution --asap 33801 --dns 5353        with the port that the former told"
})
final class BenchResolution extends Bench {
  private static final int LARGEST_PORT = 65_535;
  private static final int LATER = 4;

  @Option(names = "--server", paramLabel = "URL", defaultValue = "${env:RNS_SERVER:-http://127.0.0.1:8080/rns}", description = "The service (default: $RNS_SERVER or http://127.0.0.1:8080/rns).") private URI server =
      URI.create("");

  @Option(names = "--asap", paramLabel = "PORT", defaultValue = "0", description = "Where the server is heard by ASAP.") private int asap;

  @Option(names = "--dns", paramLabel = "PORT", defaultValue = "0", description = "RNS_DNS_PORT of the server.") private int dns;

  @Option(names = "--zone", paramLabel = "ZONE", defaultValue = "rns.example.org", description = "RNS_DNS_ZONE of the server (default: ${DEFAULT-VALUE}).") private String zone =
      "";

  @Option(names = "--clients", paramLabel = "N", defaultValue = "12", description = "How many clients at a time (default: ${DEFAULT-VALUE}).") private int clients;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "3", description = "How long each turn is measured (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "8", description = "Seconds before that in the first round; a quarter of it in later ones (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3", description = "How often they take turns; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

  private BenchResolution() {}

  @Override
  List<Row> measure(Consumer<String> progress) throws InterruptedException {
    require("--asap", asap >= 0 && asap <= LARGEST_PORT, "0 to " + LARGEST_PORT);
    require("--dns", dns >= 0 && dns <= LARGEST_PORT, "0 to " + LARGEST_PORT);
    require("--clients", clients >= 1 && clients <= 1_000, "1 to 1000");
    require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    Duration measured = ofSeconds(seconds);
    ResolutionBenchmark benchmark =
        new ResolutionBenchmark(
            RnsClient.soapEndpoint(server).toString(),
            place(asap),
            place(dns).map(at -> new Dns(at, zone)),
            clients,
            rounds,
            new Schedule(ofSeconds(warmUp), measured),
            new Schedule(ofSeconds(warmUp / LATER), measured));
    try (RnsConnection connection = RnsClient.builder().server(server).connections(clients).build()) {
      return benchmark.run(connection, connection.pools(), progress);
    }
  }

  private static Optional<InetSocketAddress> place(int port) {
    return port == 0 ? Optional.empty() : Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }
}
