package io.rns.loadtest.cli;

import io.rns.loadtest.measure.Row;
import io.rns.loadtest.pool.RenewalLoad;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench renewal}: measures the processor time of registrars while elements renew. */
@Command(name = "renewal", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Measure processor time of two synchronized registrars while elements renew.",
    "Starts each registrar in a separate process, and elements that renew at the first one, by ASAP over TCP, "
        + "each on its own connection.",
    "Prints the processors that each registrar uses, and the response time of renewals. At the end both must have the same elements."
}, footer = {"", "Example: ./rns bench renewal --elements 3000 --interval 250"})
final class BenchRenewal extends Bench {
  @Option(names = "--elements", paramLabel = "N", defaultValue = "3000", description = "Number of elements (default: ${DEFAULT-VALUE}).") private int elements;

  @Option(names = "--interval", paramLabel = "MS", defaultValue = "250", description = "Milliseconds between renewals of an element (default: ${DEFAULT-VALUE}).") private int interval;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "20", description = "Measured seconds (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "20", description = "Warm-up seconds (default: ${DEFAULT-VALUE}).") private double warmUp;

  private BenchRenewal() {}

  @Override
  List<Row> measure(Consumer<String> progress) throws InterruptedException {
    require("--elements", elements >= 1 && elements <= 15_000, "1 to 15000");
    require("--interval", interval >= 1 && interval <= 60_000, "1 to 60000");
    require("--seconds", seconds > 0 && seconds <= 3_600, "above 0 and up to 3600");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    return new RenewalLoad(elements, Duration.ofMillis(interval), ofSeconds(warmUp), ofSeconds(seconds)).run(progress);
  }
}
