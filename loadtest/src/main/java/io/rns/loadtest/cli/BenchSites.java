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
    "Starts a primary and a replica on this machine with a distance between them, and looks up names at the replica, beside the primary, and "
        + "over the distance; then junctions that the same client has just added. The group is on free ports and removed at the end, also after "
        + "Ctrl-C."
}, footer = {"", "Example: ./rns bench sites --delay 75 --rounds 3 --json"})
final class BenchSites extends GroupBench {
  private static final int LATER = 4;

  @Option(names = "--delay", paramLabel = "MS", defaultValue = "75", description = "Milliseconds between the sites, in each direction (default: ${DEFAULT-VALUE}).") private int delay;

  @Option(names = "--clients", paramLabel = "N", defaultValue = "12", description = "How many clients look up names at a time (default: ${DEFAULT-VALUE}).") private int clients;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "40", description = "Additions per second that are looked up by who has made them (default: ${DEFAULT-VALUE}).") private double rate;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "4", description = "How long each turn is measured (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "8", description = "Seconds before that in the first round; a quarter of it in later ones (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3", description = "How often they take turns; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

  /** With the launcher that has started this command. */
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
