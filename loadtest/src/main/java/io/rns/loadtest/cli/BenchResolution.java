package io.rns.loadtest.cli;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.contest.ResolutionContest;
import io.rns.loadtest.contest.ResolutionContest.Dns;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./rns bench resolution}: how often a running service resolves pools, by each of its protocols. */
@Command(name = "resolution", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Resolve a pool of a running service by SOAP, ASAP and DNS, beside queries of cached names.",
    "ASAP and DNS are contacted on 127.0.0.1 if their ports are given. Beside each, the same clients call a process "
        + "that always returns the same answer (echo): what the machine and they can do at most."
}, footer = {
    "",
    "Example:",
    "  RNS_DNS_ZONE=rns.example.org RNS_DNS_PORT=5353 ./rns up --detach",
    "  ./rns status --json | grep asap",
    "  ./rns bench resolution --asap 33801 --dns 5353        with the port that the former printed"
})
final class BenchResolution extends Bench {
  private static final int LARGEST_PORT = 65_535;

  @Option(names = "--server", paramLabel = "URL", defaultValue = "${env:RNS_SERVER:-http://127.0.0.1:8080/rns}", description = "Service (default: $RNS_SERVER or http://127.0.0.1:8080/rns).") private URI server =
      URI.create("");

  @Option(names = "--asap", paramLabel = "PORT", defaultValue = "0", description = "ASAP port of the server.") private int asap;

  @Option(names = "--dns", paramLabel = "PORT", defaultValue = "0", description = "RNS_DNS_PORT of the server.") private int dns;

  @Option(names = "--zone", paramLabel = "ZONE", defaultValue = "rns.example.org", description = "RNS_DNS_ZONE of the server (default: ${DEFAULT-VALUE}).") private String zone =
      "";

  @Mixin private TurnOptions turns = new TurnOptions();

  private BenchResolution() {}

  @Override
  Map<String, String> defaults() {
    return Map.of("--clients", "12", "--seconds", "3", "--warm-up", "8", "--rounds", "3");
  }

  @Override
  Contest.Report measure(Consumer<String> progress) throws InterruptedException {
    require("--asap", asap >= 0 && asap <= LARGEST_PORT, "0 to " + LARGEST_PORT);
    require("--dns", dns >= 0 && dns <= LARGEST_PORT, "0 to " + LARGEST_PORT);
    ResolutionContest contest =
        new ResolutionContest(RnsClient.soapEndpoint(server).toString(), local(asap), local(dns).map(
            at -> new Dns(at, zone)), turns.clients(), turns.contest());
    try (RnsConnection connection = RnsClient.builder().server(server).connections(turns.clients()).build()) {
      return new Contest.Report(contest.run(connection, connection.pools(), progress), Map.of());
    }
  }

  private static Optional<InetSocketAddress> local(int port) {
    return port == 0 ? Optional.empty() : Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }
}
