package io.rns.loadtest.cli;

import io.rns.loadtest.measure.Arrivals;
import io.rns.loadtest.measure.Arrivals.Spacing;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say how many clients there are and when they begin their requests. */
final class ArrivalOptions {
  private static final long SEED = 1;

  @Spec(Spec.Target.MIXEE) private CommandSpec spec = CommandSpec.create();

  @Option(names = "--clients", paramLabel = "N", defaultValue = "12", converter = ClientCounts.Converter.class, description = "How many clients at a time (default: ${DEFAULT-VALUE}). Several numbers, as in 1,2,4,8 or 1..12, are run in turns.") private ClientCounts clients =
      ClientCounts.parse("12");

  @Option(names = "--rate", paramLabel = "N", defaultValue = "0", description = {
      "Open loop: so many requests per second are due, of all clients together, however fast answers come. Latency counts "
          + "from when a request was due, also if no client was free then. 0: each client sends its next request when the "
          + "former one is answered (default: ${DEFAULT-VALUE}).",
      "With --op session: at most so many."
  }) private double rate;

  @Option(names = "--spacing", paramLabel = "HOW", defaultValue = "even", description = "With --rate: requests are due in even steps, or at random as of many independent callers: "
      + "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).") private Spacing spacing = Spacing.EVEN;

  @Option(names = "--think", paramLabel = "MS", defaultValue = "0", description = "Without --rate: milliseconds from an answer to the next request of the same client (default: ${DEFAULT-VALUE}).") private double think;

  /** Requests per second. */
  double rate() {
    return rate;
  }

  /** Numbers of clients to run in turns. */
  ClientCounts clients() {
    return clients;
  }

  /**
   * When requests begin.
   *
   * @param member which of several processes this is, so that they do not all send at the same moments
   * @param members how many there are
   * @throws ParameterException if a number is not in its bounds, or two options contradict each other
   */
  Arrivals arrivals(int member, int members) {
    require("--rate", rate, rate >= 0 && rate <= 1_000_000, "0 to 1000000");
    require("--think", think, think >= 0 && think <= 3_600_000, "0 to 3600000");
    if (rate > 0 && think > 0) {
      throw new ParameterException(commandLine(), "--think " + think + " and --rate " + rate + " exclude each other");
    }
    return rate > 0
        ? new Arrivals.Open(rate, spacing, SEED + member, member / (double) members)
        : new Arrivals.Closed(Duration.ofNanos(Math.round(think * 1e6)));
  }

  private void require(String option, double value, boolean good, String bounds) {
    if (!good) {
      throw new ParameterException(commandLine(), option + " " + value + " must be " + bounds);
    }
  }

  private CommandLine commandLine() {
    return spec.commandLine();
  }
}
