package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.measure.Row;
import java.io.PrintWriter;
import java.util.Formatter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command of {@code ./rns bench}: prints rows of figures, and notes. */
abstract class Bench implements Callable<Integer> {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int WIDTH = 12;
  private static final int HUNDRED = 100;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print one JSON document; progress goes to standard error.") private boolean json;

  /** The defaults of options, by name, where the option has none of its own. */
  abstract Map<String, String> defaults();

  /**
   * Measures.
   *
   * @param progress receives what is under way
   */
  abstract Contest.Report measure(Consumer<String> progress) throws InterruptedException;

  /** The most seconds that removing what was started takes after Ctrl-C. */
  long cleaningSeconds() {
    return 30;
  }

  @Override
  public final Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    try (StopOnShutdown guard = new StopOnShutdown("rns bench", cleaningSeconds())) {
      guard.begin();
      Contest.Report report = measure(text -> {
        err.println(text);
        err.flush();
      });
      PrintWriter out = spec.commandLine().getOut();
      out.println(json ? document(report).toPrettyString() : table(report.rows()) + text(report.notes()));
      out.flush();
      return 0;
    }
  }

  /** Rejects an option. */
  final void require(String option, boolean good, String bounds) {
    TurnOptions.require(spec, option, good, bounds);
  }

  private ObjectNode document(Contest.Report report) {
    ObjectNode document = MAPPER.createObjectNode();
    document.put("bench", spec.name());
    ArrayNode all = document.putArray("rows");
    for (Row row : report.rows()) {
      ObjectNode node = all.addObject().put("what", row.what());
      row.figures().forEach(node::put);
    }
    if (!report.notes().isEmpty()) {
      ObjectNode node = document.putObject("notes");
      report.notes().forEach(node::put);
    }
    return document;
  }

  private static String table(List<Row> rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.figures().keySet()));
    int first = rows.stream().mapToInt(row -> row.what().length()).max().orElse(0);
    Formatter out = new Formatter(Locale.ROOT);
    out.format("%-" + (first + 1) + "s", "");
    columns.forEach(column -> out.format("  %" + WIDTH + "s", column));
    for (Row row : rows) {
      out.format("%n%-" + (first + 1) + "s", row.what());
      for (String column : columns) {
        Double figure = row.figures().get(column);
        out.format("  %" + Math.max(WIDTH, column.length()) + "s", figure == null ? "" : number(figure));
      }
    }
    return out.toString().replaceAll(" +\n", "\n").stripTrailing();
  }

  private static String text(Map<String, String> notes) {
    StringBuilder lines = new StringBuilder(notes.isEmpty() ? "" : "\n");
    notes.forEach((what, note) -> lines.append('\n').append(what).append(": ").append(note));
    return lines.toString();
  }

  private static String number(double figure) {
    boolean whole = figure == Math.rint(figure) || Math.abs(figure) >= HUNDRED;
    return String.format(Locale.ROOT, whole ? "%,.0f" : "%,.3f", figure);
  }
}
