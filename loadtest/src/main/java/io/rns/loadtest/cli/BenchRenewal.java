package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.TurnOptions.ofSeconds;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.pool.RenewalLoad;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench renewal}: what registrars use of the processors while elements renew. */
@Command(name = "renewal", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Measure the processor time of two registrars while elements renew.",
    "Elements register repeatedly at the first registrar by ASAP over TCP, each on its own connection. Reports the "
        + "processors that each registrar uses and how long an element waits; at the end both must know the same."
}, footer = {"", "Example: ./rns bench renewal --elements 3000 --interval 250"})
final class BenchRenewal extends Bench {
  @Option(names = "--elements", paramLabel = "N", defaultValue = "3000", description = "Pool elements (default: ${DEFAULT-VALUE}).") private int elements;

  @Option(names = "--interval", paramLabel = "MS", defaultValue = "250", description = "Time between two registrations of an element (default: ${DEFAULT-VALUE}).") private int interval;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "20", description = "Measured time (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "20", description = "Load before that (default: ${DEFAULT-VALUE}).") private double warmUp;

  private BenchRenewal() {}

  @Override
  Map<String, String> defaults() {
    return Map.of();
  }

  @Override
  Contest.Report measure(Consumer<String> progress) throws InterruptedException {
    require("--elements", elements >= 1 && elements <= 15_000, "1 to 15000");
    require("--interval", interval >= 1 && interval <= 60_000, "1 to 60000");
    require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    return new Contest.Report(
        new RenewalLoad(elements, Duration.ofMillis(interval), ofSeconds(warmUp), ofSeconds(seconds)).run(progress),
        Map.of());
  }
}
