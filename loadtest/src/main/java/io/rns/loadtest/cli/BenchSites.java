package io.rns.loadtest.cli;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.contest.SiteContest;
import io.rns.loadtest.launcher.Launcher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./rns bench sites}: a replica near the client, the primary far away. */
@Command(name = "sites", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare a replica beside the client with a primary at another site.",
    "Starts both on free ports of this machine with a delay between them, and removes them at the end, also after "
        + "Ctrl-C. Measures queries, and lookups of junctions that the same client has just added."
}, footer = {"", "Example: ./rns bench sites --delay 75 --rounds 3 --json"})
final class BenchSites extends Bench {
  @Option(names = "--delay", paramLabel = "MS", defaultValue = "75", description = "Delay between the sites, in each direction (default: ${DEFAULT-VALUE}).") private int delay;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "40", description = "Additions per second, each looked up afterwards (default: ${DEFAULT-VALUE}).") private double rate;

  @Mixin private TurnOptions turns = new TurnOptions();

  private final Path launcher;

  /** With the launcher that has started this command. */
  BenchSites() {
    this(Launcher.own());
  }

  BenchSites(Path launcher) {
    this.launcher = launcher;
  }

  @Override
  Map<String, String> defaults() {
    return Map.of("--clients", "12", "--seconds", "4", "--warm-up", "8", "--rounds", "3");
  }

  @Override
  long cleaningSeconds() {
    return 200;
  }

  @Override
  Contest.Report measure(Consumer<String> progress) throws InterruptedException {
    require("--delay", delay >= 0 && delay <= 1_000, "0 to 1000");
    require("--rate", rate > 0 && rate <= 1_000, "above 0 and up to 1000");
    return new SiteContest(Duration.ofMillis(delay), turns.clients(), rate, turns.contest()).run(launcher, progress);
  }
}
