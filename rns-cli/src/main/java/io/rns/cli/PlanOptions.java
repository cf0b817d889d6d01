package io.rns.cli;

import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a plan of assignments goes by. */
final class PlanOptions {
  /** The server hears from all others, and looks up the hottest directories. */
  private static final int TIMEOUT_MILLIS = 30_000;

  @Option(names = "--half-life", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Age at which requests count half, 1s to 10m; default: 5m") private @Nullable Duration halfLife;

  @Option(names = "--moves", paramLabel = "N", description = "Most assignments, 1 to 8; default: 3") private @Nullable Integer moves;

  @Option(names = "--min-load", paramLabel = "LOAD", description = "Load below which no group is relieved; default: 200") private @Nullable Integer minimumLoad;

  @Option(names = "--write-cost", paramLabel = "READS", description = "Reads that cost as much as a write; default: 5") private @Nullable Double writeCost;

  @Option(names = "--settled", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Time for which a partition stays after its last assignment; default: 15m") private @Nullable Duration settled;

  /** The plan of the first server that answers. */
  ServerDocument plan(Operator operator, List<URI> servers) {
    String request = request();
    return FirstAnswer.of(servers, each -> operator.ask("GET", each, request, TIMEOUT_MILLIS));
  }

  private String request() {
    StringJoiner parameters = new StringJoiner("&", "/partitions/plan?", "").setEmptyValue("/partitions/plan");
    add(parameters, "halfLifeMillis", halfLife == null ? null : halfLife.toMillis());
    add(parameters, "moves", moves);
    add(parameters, "minimumLoad", minimumLoad);
    add(parameters, "writeCost", writeCost);
    add(parameters, "settledMillis", settled == null ? null : settled.toMillis());
    return parameters.toString();
  }

  /** Adds a parameter that was given. */
  static void add(StringJoiner parameters, String name, @Nullable Object value) {
    if (value != null) {
      parameters.add(name + "=" + value);
    }
  }
}
