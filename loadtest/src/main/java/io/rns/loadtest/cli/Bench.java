package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.loadtest.measure.Row;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Formatter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The shape of the commands of {@code ./rns bench}: each prints rows of figures. */
abstract class Bench implements Callable<Integer> {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int CLEANING_SECONDS = 30;
  private static final int HUNDRED = 100;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print one JSON document; progress goes to standard error.") private boolean json;

  /**
   * Runs the benchmark.
   *
   * @param progress receives progress messages
   */
  abstract List<Row> measure(Consumer<String> progress) throws InterruptedException;

  /** Notes on the figures by subject; called after the benchmark. */
  Map<String, String> notes() {
    return Map.of();
  }

  /** The time limit for stopping what the benchmark started. */
  long cleaningSeconds() {
    return CLEANING_SECONDS;
  }

  @Override
  public final Integer call() throws InterruptedException {
    CommandLine line = spec.commandLine();
    PrintWriter err = line.getErr();
    try (StopOnShutdown guard = new StopOnShutdown("rns bench", cleaningSeconds())) {
      guard.begin();
      List<Row> rows = measure(text -> say(err, text));
      PrintWriter out = line.getOut();
      out.println(json ? document(spec.name(), rows, notes()).toPrettyString() : table(rows) + text(notes()));
      out.flush();
      return 0;
    }
  }

  private static void say(PrintWriter err, String text) {
    err.println(text);
    err.flush();
  }

  /** Refuses an option value. */
  final void require(String option, boolean good, String bounds) {
    if (!good) {
      throw new ParameterException(spec.commandLine(), option + " must be " + bounds);
    }
  }

  static Duration ofSeconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private static ObjectNode document(String bench, List<Row> rows, Map<String, String> notes) {
    ObjectNode document = MAPPER.createObjectNode();
    document.put("bench", bench);
    ArrayNode all = document.putArray("rows");
    for (Row row : rows) {
      ObjectNode node = all.addObject();
      node.put("what", row.what());
      row.figures().forEach(node::put);
    }
    if (!notes.isEmpty()) {
      ObjectNode node = document.putObject("notes");
      notes.forEach(node::put);
    }
    return document;
  }

  private static String table(List<Row> rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.figures().keySet()));
    int first = rows.stream().mapToInt(row -> row.what().length()).max().orElse(0);
    Formatter out = new Formatter(Locale.ROOT);
    out.format("%-" + (first + 1) + "s", "");
    columns.forEach(column -> out.format("  %12s", column));
    for (Row row : rows) {
      out.format("%n%-" + (first + 1) + "s", row.what());
      for (String column : columns) {
        Double figure = row.figures().get(column);
        out.format("  %" + Math.max(12, column.length()) + "s", figure == null ? "" : number(figure));
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
