package io.rns.loadtest.cli;

import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.measure.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command of {@code ./rns bench}: prints rows of figures, and notes. */
abstract class Bench extends LoadtestCommand {
  @Option(names = "--json", description = "Print one JSON document; progress goes to standard error.") private boolean json;

  Bench() {
    this(30);
  }

  Bench(long cleaningSeconds) {
    super(cleaningSeconds);
  }

  abstract Contest.Report measure(Consumer<String> progress) throws InterruptedException;

  @Override
  final int run() throws InterruptedException {
    Contest.Report report = measure(this::progress);
    print(json ? json(name(), report) : text(report));
    return 0;
  }

  private record Document(String bench, List<Map<String, Object>> rows, @Nullable Map<String, String> notes) {}

  static String json(String bench, Contest.Report report) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Row row : report.rows()) {
      Map<String, Object> figures = new LinkedHashMap<>(Map.of("what", row.what()));
      figures.putAll(row.figures());
      rows.add(figures);
    }
    return Json.pretty(new Document(bench, rows, report.notes().isEmpty() ? null : report.notes()));
  }

  private static String text(Contest.Report report) {
    Set<String> columns = new LinkedHashSet<>();
    report.rows().forEach(row -> columns.addAll(row.figures().keySet()));
    List<String> head = new ArrayList<>(List.of(""));
    head.addAll(columns);
    TextTable table = new TextTable().row(head);
    for (Row row : report.rows()) {
      List<String> cells = new ArrayList<>(List.of(row.what()));
      columns.forEach(column -> cells.add(number(row.figures().get(column))));
      table.row(cells);
    }
    StringBuilder text = new StringBuilder(table.toString()).append('\n');
    report.notes().forEach((what, note) -> text.append(what).append(": ").append(note).append('\n'));
    return text.toString();
  }

  private static String number(@Nullable Double figure) {
    if (figure == null) {
      return "";
    }
    boolean whole = figure == Math.rint(figure) || Math.abs(figure) >= 100;
    return String.format(Locale.ROOT, whole ? "%,.0f" : "%,.3f", figure);
  }
}
