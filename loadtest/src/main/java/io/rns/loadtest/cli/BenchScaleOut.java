package io.rns.loadtest.cli;

import io.rns.loadtest.BenchReport;
import io.rns.loadtest.ScaleOutBenchmark;
import io.rns.loadtest.launcher.Launcher;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.quota.Quota;
import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench scale-out}: compares two servers with one. */
@Command(name = "scale-out", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare two servers with one, each limited to a share of the processors.",
    "Starts a group of a primary and two replicas on this machine, limits each replica, and looks up names at one, at both, and at the "
        + "other one, in turns. The group uses free ports and is removed at the end, even after Ctrl-C.",
    "Prints the throughput of two servers relative to one, also per second of the servers' processor time. Limits need Linux control "
        + "groups, and mostly root."
}, footer = {
    "",
    "Examples:",
    "  ./rns bench scale-out",
    "  ./rns bench scale-out --cpus 0.25 --rounds 6 --json",
    "  ./rns bench scale-out --cpus 0              no limit, for machines with enough processors"
})
final class BenchScaleOut extends GroupBench {
  private static final double MOST_TURN_WARM_UP = 1;
  private static final int SHORTER = 4;

  @Option(names = "--cpus", paramLabel = "N", defaultValue = "0.5", description = "Processors per server; 0: no limit (default: ${DEFAULT-VALUE}).") private double cpus;

  @Option(names = "--clients", paramLabel = "N", defaultValue = "6", description = "Number of clients per server (default: ${DEFAULT-VALUE}).") private int clients;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "5", description = "Measured seconds of each turn (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "25", description = "Warm-up seconds of both servers before the limit applies (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "4", description = "Number of rounds; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

  /** Uses the launcher that started this command. */
  BenchScaleOut() {
    this(Launcher.own());
  }

  BenchScaleOut(Path launcher) {
    super(launcher);
  }

  @Override
  BenchReport measure(Path with, Consumer<String> progress) throws InterruptedException {
    require("--cpus", cpus == 0 || (cpus >= Quota.LEAST && cpus <= 1_000), "0, or " + Quota.LEAST + " to 1000");
    require("--clients", clients >= 1 && clients <= 1_000, "1 to 1000");
    require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require("--warm-up", warmUp > 0 && warmUp <= 3_600, "above 0 and up to 3600");
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    Schedule turn = new Schedule(ofSeconds(Math.min(MOST_TURN_WARM_UP, seconds / SHORTER)), ofSeconds(seconds));
    return new ScaleOutBenchmark(cpus, clients, rounds, ofSeconds(warmUp), turn).run(with, progress);
  }
}
