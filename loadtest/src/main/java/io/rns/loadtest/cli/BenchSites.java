package io.rns.loadtest.cli;

import io.rns.loadtest.BenchReport;
import io.rns.loadtest.SiteBenchmark;
import io.rns.loadtest.launcher.Launcher;
import io.rns.loadtest.measure.Schedule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench sites}: a replica near the client, the primary far away. */
@Command(name = "sites", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare a replica at the clients' site with a distant primary.",
    "Starts both on this machine with a simulated delay, and looks up names at the replica, next to the primary, and over the delay; "
        + "then junctions that the same client just added. The group uses free ports and is removed at the end, even after Ctrl-C."
}, footer = {"", "Example: ./rns bench sites --delay 75 --rounds 3 --json"})
final class BenchSites extends GroupBench {
  private static final int LATER = 4;

  @Option(names = "--delay", paramLabel = "MS", defaultValue = "75", description = "Milliseconds between the sites, in each direction (default: ${DEFAULT-VALUE}).") private int delay;

  @Option(names = "--clients", paramLabel = "N", defaultValue = "12", description = "Number of concurrent clients (default: ${DEFAULT-VALUE}).") private int clients;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "40", description = "Additions per second, each looked up by its client (default: ${DEFAULT-VALUE}).") private double rate;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "4", description = "Measured seconds of each turn (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "8", description = "Warm-up seconds of the first round; a quarter in later rounds (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3", description = "Number of rounds; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

  /** Uses the launcher that started this command. */
  BenchSites() {
    this(Launcher.own());
  }

  BenchSites(Path launcher) {
    super(launcher);
  }

  @Override
  BenchReport measure(Path with, Consumer<String> progress) throws InterruptedException {
    require("--delay", delay >= 0 && delay <= 1_000, "0 to 1000");
    require("--clients", clients >= 1 && clients <= 1_000, "1 to 1000");
    require("--rate", rate > 0 && rate <= 1_000, "above 0 and up to 1000");
    require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    Schedule first = new Schedule(ofSeconds(warmUp), ofSeconds(seconds));
    Schedule later = new Schedule(ofSeconds(warmUp / LATER), ofSeconds(seconds));
    return new SiteBenchmark(Duration.ofMillis(delay), clients, rate, rounds, first, later).run(with, progress);
  }
}
