package io.rns.cli;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "plan", header = "Propose assignments that balance the loads of the groups, with reasons.", description = "Changes nothing: run the commands it prints. LOAD is in reads per second, AFTER what it would be. Recent requests count most.", footerHeading = "%nExamples:%n", footer = {
    "  rns partition plan", "  rns partition plan --half-life 1m --moves 1"})
final class PartitionPlanCommand extends OperatorCommand {
  /** The server hears from all others, and looks up the hottest directories. */
  private static final int TIMEOUT_MILLIS = 30_000;

  @Option(names = "--half-life", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Age at which requests count half, 1s to 10m; default: 5m") private @Nullable Duration halfLife;

  @Option(names = "--moves", paramLabel = "N", description = "Most assignments, 1 to 8; default: 3") private @Nullable Integer moves;

  @Option(names = "--min-load", paramLabel = "LOAD", description = "Load below which no group is relieved; default: 200") private @Nullable Integer minimumLoad;

  @Option(names = "--write-cost", paramLabel = "READS", description = "Reads that cost as much as a write; default: 5") private @Nullable Double writeCost;

  @Option(names = "--settled", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Time for which a partition stays after its last assignment; default: 15m") private @Nullable Duration settled;

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    String request = request();
    ServerDocument plan =
        FirstAnswer.of(servers(), each -> operator.ask("GET", each, request, TIMEOUT_MILLIS));
    if (output.isJson()) {
      output.json().copy(plan.body());
    } else {
      show(plan.json(), output);
    }
    return ExitCode.DONE;
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

  private static void add(StringJoiner parameters, String name, @Nullable Number value) {
    if (value != null) {
      parameters.add(name + "=" + value);
    }
  }

  private static void show(FlatJson plan, Output output) {
    List<List<String>> rows = new ArrayList<>(List.of(List.of("GROUP", "READS/S", "WRITES/S", "LOAD", "AFTER")));
    for (Map<String, String> group : plan.list("groups")) {
      rows.add(
          List.of(
              group.getOrDefault("group", ""), rounded(group, "reads"), rounded(group, "writes"),
              rounded(group, "load"), rounded(group, "after")));
    }
    Columns.of(rows).forEach(output::line);
    output.line("measured for " + rounded(plan.fields(), "seconds") + " s");
    for (Map<String, String> silent : plan.list("silent")) {
      output.line(
          "without " + silent.get("server") + " of group " + silent.get("group") + ": " + silent.get("reason"));
    }
    for (Map<String, String> absent : plan.list("absent")) {
      output.line("without group " + absent.get("group") + ": " + absent.get("reason"));
    }
    for (FlatJson move : plan.objects("moves")) {
      output.line("");
      output.line("./rns partition assign " + ShellLine.word(move.field("path")) + " --to " + move.field("to"));
      move.list("reasons").forEach(reason -> output.line("  " + reason.get(FlatJson.TEXT)));
    }
    output.line("");
    output.line(plan.field("verdict"));
  }

  private static String rounded(Map<String, String> fields, String name) {
    return String.format(Locale.ROOT, "%.1f", Double.parseDouble(fields.getOrDefault(name, "0")));
  }
}
