package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.TurnOptions.ofSeconds;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.pool.PolicyContest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench policies}: ways to choose a server against each other. */
@Command(name = "policies", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare ways to choose a server, over real sockets on this machine.",
    "slow: 16 servers, 2 of them 16 times slower without announcing it. sinks: 20 servers, 2 of which fail at once. "
        + "processor: 4 servers that compute. credits: 3 servers of known, different strength that reject what is too "
        + "much, and bursts."
}, footer = {
    "",
    "Examples:",
    "  ./rns bench policies --contest slow,sinks",
    "  ./rns bench policies --seconds 20 --rounds 5 --json"
})
final class BenchPolicies extends Bench {
  @Option(names = "--contest", paramLabel = "C", split = ",", defaultValue = "slow,sinks,processor,credits", description = "Contests to run: ${COMPLETION-CANDIDATES} (default: all).") private List<PolicyContest.Kind> contests =
      List.of();

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "5", description = "Measured time of each turn (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "2", description = "Load before that (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3", description = "Turns of each; figures are over all rounds (default: ${DEFAULT-VALUE}).") private int rounds;

  @Option(names = "--ttl", paramLabel = "MS", defaultValue = "5000", description = "How long users cache a resolution, as RNS_POOL_TTL of a server (default: ${DEFAULT-VALUE}).") private int ttl;

  private BenchPolicies() {}

  @Override
  Map<String, String> defaults() {
    return Map.of();
  }

  @Override
  Contest.Report measure(Consumer<String> progress) throws InterruptedException {
    require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    require("--ttl", ttl >= 0 && ttl <= 3_600_000, "0 to 3600000");
    PolicyContest contest =
        new PolicyContest(rounds, ofSeconds(warmUp), ofSeconds(seconds), Duration.ofMillis(ttl));
    List<Row> rows = new ArrayList<>();
    for (PolicyContest.Kind kind : contests) {
      rows.addAll(contest.run(kind, progress));
    }
    return new Contest.Report(rows, Map.of());
  }
}
