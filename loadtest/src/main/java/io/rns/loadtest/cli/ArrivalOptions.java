package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.LoadtestCommand.reject;
import static io.rns.loadtest.cli.LoadtestCommand.require;

import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.RequestArrivals.Spacing;
import picocli.CommandLine.Option;

/** The options for the number of clients and the start times of requests. */
final class ArrivalOptions {
  private static final long SEED = 1;

  @Option(names = "--clients", paramLabel = "N", defaultValue = "12", description = "Number of concurrent clients (default: ${DEFAULT-VALUE}). Several, as in 1,2,4,8 or 1..12, alternate.") ClientCounts clients;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "0", description = {
      "Open loop: requests per second of all clients together, independent of answers. Latency counts "
          + "from the due time of a request, even if no client was free. 0: closed loop, each client waits for an answer before its "
          + "next request (default: ${DEFAULT-VALUE}).",
      "With --op session: the maximum."
  }) double rate;

  @Option(names = "--spacing", paramLabel = "HOW", defaultValue = "even", description = "With --rate: due times at even steps, or random as from many independent clients: "
      + "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).") private Spacing spacing = Spacing.EVEN;

  @Option(names = "--think", paramLabel = "MS", defaultValue = "0", description = "Without --rate: milliseconds between answer and next request (default: ${DEFAULT-VALUE}).") private double think;

  /** The start times of requests; those of several processes are apart. */
  RequestArrivals arrivals(int member, int members) {
    require("--rate " + rate, rate >= 0 && rate <= 1_000_000, "0 to 1000000");
    require("--think " + think, think >= 0 && think <= 3_600_000, "0 to 3600000");
    reject(rate > 0 && think > 0, "--think " + think + " and --rate " + rate + " exclude each other");
    return rate > 0
        ? new RequestArrivals.Open(rate, spacing, SEED + member, member / (double) members)
        : new RequestArrivals.Closed(LoadtestCommand.ofMillis(think));
  }
}
