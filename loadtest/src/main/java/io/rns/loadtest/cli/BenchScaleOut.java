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

/** {@code ./rns bench scale-out}: two servers against one. */
@Command(name = "scale-out", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Starts a group of a primary and two replicas on this machine, holds each replica to a share of the processors, and looks up names at "
        + "one, at both, and at the other one, in turns. The group is on free ports and removed at the end, also after Ctrl-C.",
    "Tells how many times the throughput of one server two give, and the same per second of the servers' processor time. To hold "
        + "processes takes control groups of Linux and mostly root."
}, footer = {
    "",
    "Examples:",
    "  ./rns bench scale-out",
    "  ./rns bench scale-out --cpus 0.25 --rounds 6 --json",
    "  ./rns bench scale-out --cpus 0              not held, for machines with processors for all"
})
final class BenchScaleOut extends GroupBench {
  private static final double MOST_TURN_WARM_UP = 1;
  private static final int SHORTER = 4;

  @Option(names = "--cpus", paramLabel = "N", defaultValue = "0.5", description = "How many processors each server may use; 0: as many as it gets (default: ${DEFAULT-VALUE}).") private double cpus;

  @Option(names = "--clients", paramLabel = "N", defaultValue = "6", description = "How many clients ask each server (default: ${DEFAULT-VALUE}).") private int clients;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "5", description = "How long each turn is measured (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "25", description = "Seconds for which both are asked before they are held (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "4", description = "How often they take turns; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

  /** With the launcher that has started this command. */
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
