package io.rns.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "replay", header = "Show which moves other settings would have made of the recorded heat.", description = "Decides after each recorded window as a server with these settings does; each move counts from the next window on. RECORDED is the"
    + " mean load of a group as it was, REPLAYED as it would have been. Options default to the settings of the root's group. Changes nothing.", footerHeading = "%nExamples:%n", footer = {
        "  rns partition replay --gain 20 --windows 2", "  rns partition replay --rest 30m heat.json"})
final class PartitionReplayCommand extends OperatorCommand {
  /** The server replays for 20 s at most. */
  private static final int TIMEOUT_MILLIS = 60_000;

  @Parameters(paramLabel = "FILE", arity = "0..1", description = "Heat saved by 'partition why --windows --json', up to 8 MB; default: that of the service") private @Nullable Path file;

  @Option(names = "--window", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Length of a window, a multiple of the recorded ones up to 20m") private @Nullable Duration window;

  @Option(names = "--windows", paramLabel = "N", description = "Consecutive windows in which a group must have been too busy") private @Nullable Integer windows;

  @Option(names = "--gain", paramLabel = "PERCENT", description = "Part of the mean load by which each move must lower the highest load") private @Nullable Integer gain;

  @Option(names = "--min-load", paramLabel = "LOAD", description = "Load of the busiest group below which nothing moves") private @Nullable Integer minimumLoad;

  @Option(names = "--moves-per-hour", paramLabel = "N", description = "Most moves that begin within any hour") private @Nullable Integer movesPerHour;

  @Option(names = "--quiet-hours", paramLabel = "TIMES", description = "Time of day, UTC, in which no move begins: 22:00-06:00; '' for none") private @Nullable String quietHours;

  @Option(names = "--rest", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "How long what has moved is not moved again") private @Nullable Duration rest;

  @Option(names = "--last", paramLabel = "N", description = "Windows to replay, the newest, 1 to 1000; default: 288") private @Nullable Integer last;

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    String request = request();
    String heat = file == null ? "" : read(file);
    ServerDocument replay =
        FirstAnswer.of(
            PartitionList.of(servers(), rns().trust(), credentials()).rootServers(server),
            root -> operator.ask(file == null ? "GET" : "POST", root, request, heat, TIMEOUT_MILLIS));
    if (output.isJson()) {
      output.json().copy(replay.body());
    } else {
      show(replay.json(), output);
    }
    return ExitCode.DONE;
  }

  private String read(Path from) {
    try {
      return Files.readString(from);
    } catch (IOException e) {
      throw usage("cannot read the file '" + from + "': " + e);
    }
  }

  private String request() {
    StringJoiner parameters = new StringJoiner("&", "/partitions/replay?", "").setEmptyValue("/partitions/replay");
    PlanOptions.add(parameters, "windowMillis", window == null ? null : window.toMillis());
    PlanOptions.add(parameters, "windows", windows);
    PlanOptions.add(parameters, "gain", gain);
    PlanOptions.add(parameters, "minimumLoad", minimumLoad);
    PlanOptions.add(parameters, "movesPerHour", movesPerHour);
    PlanOptions.add(
        parameters, "quietHours", quietHours == null ? null : URLEncoder.encode(quietHours, StandardCharsets.UTF_8));
    PlanOptions.add(parameters, "restMillis", rest == null ? null : rest.toMillis());
    PlanOptions.add(parameters, "most", last);
    return parameters.toString();
  }

  private static void show(FlatJson replay, Output output) {
    List<FlatJson> windows = replay.objects("windows");
    output.line(Decisions.rules(replay));
    output.line(
        "each move must gain " + percent(replay, "settings.minimumGain")
            + " of the mean; nothing moves below a load of "
            + PlanLines.rounded(replay.fields(), "settings.minimumLoad"));
    output.line("");
    moves(windows, output);
    output.line("");
    List<List<String>> groups = new ArrayList<>(List.of(List.of("GROUP", "RECORDED", "REPLAYED")));
    for (Map<String, String> group : replay.list("groups")) {
      groups.add(
          List.of(
              group.getOrDefault("group", ""), PlanLines.rounded(group, "recorded"),
              PlanLines.rounded(group, "replayed")));
    }
    Columns.of(groups).forEach(output::line);
    output.line("");
    output.line(
        windows.size() + " windows from " + windows.get(0).field("at") + " to "
            + windows.get(windows.size() - 1).field("at") + refusals(windows));
    output.line(
        "the busiest group had " + percent(replay, "busiest.recorded") + " of the mean load; it would have had "
            + percent(replay, "busiest.replayed"));
  }

  private static void moves(List<FlatJson> windows, Output output) {
    List<List<String>> moves = new ArrayList<>(List.of(List.of("WINDOW UNTIL", "PATH", "FROM", "TO", "LOAD")));
    for (FlatJson window : windows) {
      for (Map<String, String> move : window.list("moves")) {
        moves.add(
            List.of(
                window.field("at"), move.getOrDefault("path", ""), move.getOrDefault("from", ""),
                move.getOrDefault("to", ""), PlanLines.rounded(move, "load")));
      }
    }
    if (moves.size() == 1) {
      output.line("no move would have begun");
    } else {
      Columns.of(moves).forEach(output::line);
    }
  }

  /** How often each rule refused a plan. */
  private static String refusals(List<FlatJson> windows) {
    Map<String, Integer> refusals = new TreeMap<>();
    windows.stream().map(window -> window.field("rule")).filter(rule -> !rule.isEmpty())
        .forEach(rule -> refusals.merge(rule, 1, Integer::sum));
    StringJoiner text = new StringJoiner(", ", "; plans refused: ", "").setEmptyValue("");
    refusals.forEach((rule, times) -> text.add(times + " by " + rule));
    return text.toString();
  }

  private static String percent(FlatJson document, String field) {
    return Math.round(100 * Double.parseDouble(document.field(field))) + " %";
  }
}
