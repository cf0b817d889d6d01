package io.rns.loadtest.cli;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.measure.Schedule;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every contest; each command has defaults of its own ({@link Bench#defaults}). */
final class TurnOptions {
  @Spec(Spec.Target.MIXEE) private CommandSpec spec = CommandSpec.create();

  @Option(names = "--clients", paramLabel = "N", description = "Concurrent clients (default: ${DEFAULT-VALUE}).") private int clients;

  @Option(names = "--seconds", paramLabel = "S", description = "Measured time of each turn (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", description = "Load of each contestant before the first round (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--rounds", paramLabel = "R", description = "Turns of each contestant; figures are medians (default: ${DEFAULT-VALUE}).") private int rounds;

  int clients() {
    require(spec, "--clients", clients >= 1 && clients <= 1_000, "1 to 1000");
    return clients;
  }

  /** How contestants take turns; they run for a quarter of a turn, at most a second, before each is measured. */
  Contest contest() {
    require(spec, "--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require(spec, "--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    return new Contest(rounds, warmUp(), new Schedule(ofSeconds(Math.min(1, seconds / 4)), ofSeconds(seconds)));
  }

  Duration warmUp() {
    require(spec, "--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    return ofSeconds(warmUp);
  }

  static Duration ofSeconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  /** Rejects an option. */
  static void require(CommandSpec spec, String option, boolean good, String bounds) {
    if (!good) {
      throw new ParameterException(spec.commandLine(), option + " must be " + bounds);
    }
  }
}
