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

/** {@code ./rns bench resolution}: measures pool resolutions of a running service, by each of its protocols. */
@Command(name = "resolution", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Measure pool resolutions of a running service by each protocol.",
    "Resolves a pool of three elements by SOAP, ASAP over TCP and DNS over UDP, alternating with queries of cached names. Each client "
        + "sends its next request after the answer to the previous one.",
    "Measures ASAP and DNS on 127.0.0.1, and only if their ports are given; next to each, an echo process that returns the same "
        + "answer to every request shows the limit of machine and clients."
}, footer = {
    "",
    "Example:",
    "  RNS_DNS_ZONE=rns.example.org RNS_DNS_PORT=5353 ./rns up --detach",
    "  ./rns status --json | grep asap",
    "  ./rns bench resolution --asap 33801 --dns 5353        with the port from the line above"
})
final class BenchResolution extends Bench {
  private static final int LARGEST_PORT = 65_535;
  private static final int LATER = 4;

  @Option(names = "--server", paramLabel = "URL", defaultValue = "${env:RNS_SERVER:-http://127.0.0.1:8080/rns}", description = "Service (default: $RNS_SERVER or http://127.0.0.1:8080/rns).") private URI server =
      URI.create("");

  @Option(names = "--asap", paramLabel = "PORT", defaultValue = "0", description = "ASAP port of the server.") private int asap;

  @Option(names = "--dns", paramLabel = "PORT", defaultValue = "0", description = "RNS_DNS_PORT of the server.") private int dns;

  @Option(names = "--zone", paramLabel = "ZONE", defaultValue = "rns.example.org", description = "RNS_DNS_ZONE of the server (default: ${DEFAULT-VALUE}).") private String zone =
      "";

  @Option(names = "--clients", paramLabel = "N", defaultValue = "12", description = "Number of concurrent clients (default: ${DEFAULT-VALUE}).") private int clients;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "3", description = "Measured seconds of each turn (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "8", description = "Warm-up seconds of the first round; a quarter in later rounds (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3", description = "Number of rounds; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

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
