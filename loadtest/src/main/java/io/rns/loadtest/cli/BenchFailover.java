package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.TurnOptions.ofSeconds;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.pool.ElementKill;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench failover}: kills pool elements under load. */
@Command(name = "failover", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Kill pool elements under load and report what users notice.",
    "Each element is a process of its own, registered by ASAP, and killed by SIGKILL; requests are repeatable. Reports "
        + "failed and repeated requests, the time until the registrar removed the element, and the last request that "
        + "reached it."
}, footer = {"", "Example: ./rns bench failover --kills 3"})
final class BenchFailover extends Bench {
  @Option(names = "--elements", paramLabel = "N", defaultValue = "4", description = "Pool elements (default: ${DEFAULT-VALUE}).") private int elements;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "500", description = "Requests per second (default: ${DEFAULT-VALUE}).") private double rate;

  @Option(names = "--kills", paramLabel = "N", defaultValue = "3", description = "Elements to kill (default: ${DEFAULT-VALUE}).") private int kills;

  @Option(names = "--calm", paramLabel = "S", defaultValue = "2", description = "Seconds of load before each kill (default: ${DEFAULT-VALUE}).") private double calm;

  @Option(names = "--timeout", paramLabel = "MS", defaultValue = "5000", description = {
      "How long the registrar waits for an element whose connection is lost (default: ${DEFAULT-VALUE}, as servers do)."
  }) private int timeout;

  private BenchFailover() {}

  @Override
  Map<String, String> defaults() {
    return Map.of();
  }

  @Override
  Contest.Report measure(Consumer<String> progress) throws InterruptedException {
    require("--elements", elements >= 2 && elements <= 50, "2 to 50");
    require("--rate", rate > 0 && rate <= 10_000, "above 0 and up to 10000");
    require("--kills", kills >= 1 && kills <= 100, "1 to 100");
    require("--calm", calm >= 0 && calm <= 50, "0 to 50");
    require("--timeout", timeout >= 1 && timeout <= 30_000, "1 to 30000");
    return new Contest.Report(
        new ElementKill(elements, rate, kills, ofSeconds(calm), Duration.ofMillis(timeout)).run(progress), Map.of());
  }
}
