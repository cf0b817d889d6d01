package io.rns.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The parts of a plan as text. */
final class PlanLines {
  private PlanLines() {}

  /** The loads of the groups. */
  static List<String> groups(List<Map<String, String>> groups) {
    List<List<String>> rows = new ArrayList<>(List.of(List.of("GROUP", "READS/S", "WRITES/S", "LOAD", "AFTER")));
    for (Map<String, String> group : groups) {
      rows.add(
          List.of(
              group.getOrDefault("group", ""), rounded(group, "reads"), rounded(group, "writes"),
              rounded(group, "load"), rounded(group, "after")));
    }
    return Columns.of(rows);
  }

  /** The assignments as commands, with their reasons. */
  static void moves(List<FlatJson> moves, Output output) {
    for (FlatJson move : moves) {
      output.line("");
      output.line("./rns partition assign " + ShellLine.word(move.field("path")) + " --to " + move.field("to"));
      move.list("reasons").forEach(reason -> output.line("  " + reason.get(FlatJson.TEXT)));
    }
  }

  static String rounded(Map<String, String> fields, String name) {
    return String.format(Locale.ROOT, "%.1f", Double.parseDouble(fields.getOrDefault(name, "0")));
  }
}
