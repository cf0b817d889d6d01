package io.rns.loadtest.cli;

import io.rns.loadtest.measure.Row;
import io.rns.loadtest.pool.ElementKill;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench failover}: kills pool elements under load. */
@Command(name = "failover", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Kill pool elements under load.",
    "Starts elements in separate processes, registered by ASAP, and kills one after the other with kill -9 while users send "
        + "repeatable requests.",
    "Prints the number of failed requests, the number retried at another element, the time until the registrar removed the "
        + "killed element, and the time of the last request to it."
}, footer = {"", "Example: ./rns bench failover --kills 3"})
final class BenchFailover extends Bench {
  @Option(names = "--elements", paramLabel = "N", defaultValue = "4", description = "Number of elements (default: ${DEFAULT-VALUE}).") private int elements;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "500", description = "Requests per second (default: ${DEFAULT-VALUE}).") private double rate;

  @Option(names = "--kills", paramLabel = "N", defaultValue = "3", description = "Number of kills (default: ${DEFAULT-VALUE}).") private int kills;

  @Option(names = "--calm", paramLabel = "S", defaultValue = "2", description = "Seconds of load before each kill (default: ${DEFAULT-VALUE}).") private double calm;

  @Option(names = "--timeout", paramLabel = "MS", defaultValue = "5000", description = {
      "Registrar's keep-alive timeout for an element that lost its connection (default: ${DEFAULT-VALUE}, like servers)."
  }) private int timeout;

  private BenchFailover() {}

  @Override
  List<Row> measure(Consumer<String> progress) throws InterruptedException {
    require("--elements", elements >= 2 && elements <= 50, "2 to 50");
    require("--rate", rate > 0 && rate <= 10_000, "above 0 and up to 10000");
    require("--kills", kills >= 1 && kills <= 100, "1 to 100");
    require("--calm", calm >= 0 && calm <= 50, "0 to 50");
    require("--timeout", timeout >= 1 && timeout <= 30_000, "1 to 30000");
    return new ElementKill(elements, rate, kills, ofSeconds(calm), Duration.ofMillis(timeout)).run(progress);
  }
}
