package io.rns.cli;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the root's group has decided about partitions, and moved, as text. */
final class Decisions {
  private static final int TIMEOUT_MILLIS = 30_000;
  /** Directories of a window that are shown. */
  private static final int HOTTEST = 10;
  private static final String UNKNOWN = "-";

  private final FlatJson document;
  private final Output output;

  Decisions(FlatJson document, Output output) {
    this.document = document;
    this.output = output;
  }

  /** Asks the first server of the root's group that answers. */
  static ServerDocument ask(Operator operator, List<URI> rootServers, String parameters) {
    return FirstAnswer.of(
        rootServers, server -> operator.ask("GET", server, "/partitions/decisions" + parameters, TIMEOUT_MILLIS));
  }

  /** The last decisions and moves. */
  void showAll() {
    output.line("mode " + document.field("settings.mode") + ": " + rules(document));
    output.line("");
    List<List<String>> rows = new ArrayList<>(List.of(List.of("DECISION", "WINDOW UNTIL", "OUTCOME", "REASON")));
    for (FlatJson decision : document.objects("decisions")) {
      rows.add(
          List.of(decision.field("number"), decision.field("at"), outcome(decision), decision.field("reason")));
    }
    table(rows, "no decision is recorded");
    moves();
  }

  /** The settings that decisions go by. */
  static String rules(FlatJson document) {
    String quiet = document.field("settings.quietHours");
    return "windows of " + document.field("settings.windowSeconds") + " s, an imbalance must last for "
        + document.field("settings.windows") + "; at most " + document.field("settings.movesPerHour")
        + " moves per hour, a directory rests for " + document.field("settings.restSeconds") + " s"
        + (quiet.isEmpty() ? "" : ", quiet hours " + quiet);
  }

  private static String outcome(FlatJson decision) {
    String rule = decision.field("rule");
    return decision.field("outcome") + (rule.isEmpty() ? "" : " (" + rule + ")");
  }

  /** One decision, with the heat that led to it. */
  void showOne() {
    for (FlatJson decision : document.objects("decisions")) {
      output.line(
          "decision " + decision.field("number") + ", mode " + decision.field("mode") + ", window of "
              + decision.field("seconds") + " s until " + decision.field("at"));
      output.line(outcome(decision) + ": " + decision.field("reason"));
      output.line("");
      PlanLines.groups(decision.list("groups")).forEach(output::line);
      PlanLines.moves(decision.objects("moves"), output);
      output.line("");
      hottest(decision.list("window.directories"));
      decision.list("window.missing").forEach(missing -> output.line("without " + missing.get(FlatJson.TEXT)));
      for (Map<String, String> fixed : decision.list("window.fixed")) {
        output.line("cannot move " + fixed.get("path") + ": " + fixed.get("reason"));
      }
    }
  }

  private void hottest(List<Map<String, String>> directories) {
    List<List<String>> rows = new ArrayList<>(List.of(List.of("DIRECTORY", "GROUP", "READS/S", "WRITES/S")));
    directories.stream()
        .sorted((one, other) -> Double.compare(heat(other), heat(one)))
        .limit(HOTTEST)
        .forEach(
            each -> rows.add(
                List.of(
                    each.getOrDefault("path", UNKNOWN), each.getOrDefault("group", UNKNOWN),
                    PlanLines.rounded(each, "reads"), PlanLines.rounded(each, "writes"))));
    table(rows, "no request was counted in the window");
    if (directories.size() > HOTTEST) {
      output.line(String.format(Locale.ROOT, "and %d other directories", directories.size() - HOTTEST));
    }
  }

  private static double heat(Map<String, String> directory) {
    return Double.parseDouble(directory.getOrDefault("reads", "0"))
        + Double.parseDouble(directory.getOrDefault("writes", "0"));
  }

  /** What is recorded of a directory. */
  void showDirectory() {
    output.line(
        document.field("directory.path") + " belongs to group " + document.field("directory.group")
            + "; with everything below it, it had:");
    List<List<String>> rows =
        new ArrayList<>(List.of(List.of("DECISION", "WINDOW UNTIL", "READS/S", "WRITES/S", "LOAD")));
    for (Map<String, String> window : document.list("directory.windows")) {
      rows.add(
          List.of(
              window.getOrDefault("decision", UNKNOWN), window.getOrDefault("at", UNKNOWN),
              PlanLines.rounded(window, "reads"), PlanLines.rounded(window, "writes"),
              PlanLines.rounded(window, "load")));
    }
    table(rows, "no window is recorded");
    for (FlatJson decision : document.objects("decisions")) {
      output.line("");
      output.line(
          "decision " + decision.field("number") + ", window until " + decision.field("at") + ", "
              + outcome(decision) + ": " + decision.field("reason"));
      PlanLines.moves(decision.objects("moves"), output);
    }
    moves();
  }

  private void moves() {
    List<List<String>> rows = new ArrayList<>(List.of(List.of("MOVE", "BEGUN", "PATH", "FROM", "TO", "BY", "STATE")));
    for (Map<String, String> move : document.list("moves")) {
      String failure = move.getOrDefault("failure", "");
      String undoes = move.getOrDefault("undoes", "0");
      rows.add(
          List.of(
              move.getOrDefault("number", UNKNOWN), move.getOrDefault("at", UNKNOWN),
              move.getOrDefault("path", UNKNOWN), move.getOrDefault("from", UNKNOWN),
              move.getOrDefault("to", UNKNOWN),
              move.getOrDefault("by", UNKNOWN) + (undoes.equals("0") ? "" : " of " + undoes),
              move.getOrDefault("state", UNKNOWN) + (failure.isEmpty() ? "" : ": " + failure)));
    }
    output.line("");
    table(rows, "no move is recorded");
  }

  private void table(List<List<String>> rows, String nothing) {
    if (rows.size() == 1) {
      output.line(nothing);
    } else {
      Columns.of(rows).forEach(output::line);
    }
  }
}
