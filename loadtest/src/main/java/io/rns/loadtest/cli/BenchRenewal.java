package io.rns.loadtest.cli;

import io.rns.loadtest.measure.Row;
import io.rns.loadtest.pool.RenewalLoad;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench renewal}: what registrars use of the processors while elements renew. */
@Command(name = "renewal", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Starts two registrars, each in a process of its own, and elements that register again and again at the first, by ASAP over TCP, "
        + "each on its own connection.",
    "Tells how many processors each registrar uses, and how long an element waits for its answer. At the end both must know the same."
}, footer = {"", "Example: ./rns bench renewal --elements 3000 --interval 250"})
final class BenchRenewal extends Bench {
  @Option(names = "--elements", paramLabel = "N", defaultValue = "3000", description = "How many elements (default: ${DEFAULT-VALUE}).") private int elements;

  @Option(names = "--interval", paramLabel = "MS", defaultValue = "250", description = "Milliseconds between two registrations of an element (default: ${DEFAULT-VALUE}).") private int interval;

  @Option(names = "--seconds", paramLabel = "S", defaultValue = "20", description = "How long is measured (default: ${DEFAULT-VALUE}).") private double seconds;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "20", description = "Seconds before that (default: ${DEFAULT-VALUE}).") private double warmUp;

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
