package io.rns.loadtest.cli;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.contest.ScaleOutContest;
import io.rns.loadtest.launcher.Launcher;
import io.rns.loadtest.quota.Quota;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./rns bench scale-out}: two servers against one. */
@Command(name = "scale-out", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare the queries per second of two replicas with those of one.",
    "Starts a primary and two replicas on free ports of this machine, holds each replica to a share of the processors, "
        + "and removes them at the end, also after Ctrl-C. Holding processes needs control groups of Linux and mostly "
        + "root."
}, footer = {
    "",
    "Examples:",
    "  ./rns bench scale-out",
    "  ./rns bench scale-out --cpus 0.25 --rounds 6 --json",
    "  ./rns bench scale-out --cpus 0              not held, for machines with processors for all"
})
final class BenchScaleOut extends Bench {
  @Option(names = "--cpus", paramLabel = "N", defaultValue = "0.5", description = "Processors that each server may use; 0: no limit (default: ${DEFAULT-VALUE}).") private double cpus;

  @Mixin private TurnOptions turns = new TurnOptions();

  private final Path launcher;

  /** With the launcher that has started this command. */
  BenchScaleOut() {
    this(Launcher.own());
  }

  BenchScaleOut(Path launcher) {
    this.launcher = launcher;
  }

  @Override
  Map<String, String> defaults() {
    return Map.of("--clients", "6", "--seconds", "5", "--warm-up", "25", "--rounds", "4");
  }

  @Override
  long cleaningSeconds() {
    return 200;
  }

  @Override
  Contest.Report measure(Consumer<String> progress) throws InterruptedException {
    require("--cpus", cpus == 0 || (cpus >= Quota.LEAST && cpus <= 1_000), "0, or " + Quota.LEAST + " to 1000");
    require("--warm-up", !turns.warmUp().isZero(), "above 0 and up to 3600");
    Contest turn = turns.contest();
    // Warm-up is for servers that are not held yet.
    return new ScaleOutContest(cpus, turns.clients(), turn.warmUp(),
        new Contest(turn.rounds(), Duration.ZERO, turn.turn())).run(launcher, progress);
  }
}
