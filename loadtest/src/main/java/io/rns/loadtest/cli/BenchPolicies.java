package io.rns.loadtest.cli;

import io.rns.loadtest.measure.Row;
import io.rns.loadtest.pool.Contest;
import io.rns.loadtest.pool.Contest.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench policies}: compares ways to select a server, over real sockets. */
@Command(name = "policies", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare ways to select a server: dedicated TCP servers with production registrar, elements and users, all on this machine.",
    "slow: 16 servers, 2 of them 16 times slower without reporting it. sinks: 20 servers, 2 of which fail at once. processor: 4 servers "
        + "that compute. credits: 3 servers of known, different capacity that reject excess requests, and bursts."
}, footer = {
    "",
    "Examples:",
    "  ./rns bench policies --contest slow,sinks",
    "  ./rns bench policies --seconds 20 --rounds 5 --json"
})
final class BenchPolicies extends Bench {
  @Option(names = "--contest", paramLabel = "C", split = ",", defaultValue = "slow,sinks,processor,credits", description = "Contests to run: ${COMPLETION-CANDIDATES} (default: all).") private List<Kind> contests =
      List.of();

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "5", description = "Measured seconds of each turn (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "2", description = "Warm-up seconds of each turn (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3", description = "Number of rounds; figures are totals of all rounds (default: ${DEFAULT-VALUE}).") private int rounds;

  @Option(names = "--ttl", paramLabel = "MS", defaultValue = "5000", description = "Milliseconds that users cache resolutions, like RNS_POOL_TTL (default: ${DEFAULT-VALUE}).") private int ttl;

  private BenchPolicies() {}

  @Override
  List<Row> measure(Consumer<String> progress) throws InterruptedException {
    require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    require("--ttl", ttl >= 0 && ttl <= 3_600_000, "0 to 3600000");
    Contest contest = new Contest(rounds, ofSeconds(warmUp), ofSeconds(seconds), Duration.ofMillis(ttl));
    List<Row> rows = new ArrayList<>();
    for (Kind kind : contests) {
      rows.addAll(contest.run(kind, progress));
    }
    return rows;
  }
}
