package io.rns.loadtest.cli;

import io.rns.loadtest.figure.Cell;
import io.rns.loadtest.figure.Experiment;
import io.rns.loadtest.figure.Figure;
import io.rns.loadtest.figure.Measured;
import io.rns.loadtest.figure.Measurements;
import io.rns.loadtest.figure.Verdict;
import io.rns.loadtest.figure.Verdict.Agreement;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What simulations print: their results as JSON, or as {@link #text}. */
record SimOutput(
    long seed, int repetitions, double minutes, int missing, List<Measured> points, List<Verdict> claims) {
  static SimOutput of(Experiment experiment, Measurements measurements, List<Verdict> verdicts) {
    return new SimOutput(
        experiment.seed(), experiment.repetitions(), experiment.minutes(), measurements.missing(),
        measurements.all(), verdicts);
  }

  /** A table of speeds per figure, and the checked claims. */
  static String text(Measurements measurements, List<Verdict> verdicts) {
    Formatter out = new Formatter(Locale.ROOT);
    for (Figure figure : Figure.ALL) {
      List<Measured> measured = measurements.of(figure);
      if (!measured.isEmpty()) {
        out.format("Figure %s: handling speed in %% (± half of the 95 %% interval) by %s%n", figure, figure.quantity());
        out.format("%s%n", table(measured));
      }
    }
    List<Verdict> checked = verdicts.stream().filter(v -> v.agreement() != Agreement.NOT_MEASURED).toList();
    for (Verdict verdict : checked) {
      out.format("%-5s %-4s %s (%s: %s)%n           %s%n", verdict.id(), verdict.agreement(), verdict.claim(),
          verdict.source(), verdict.expected(), verdict.ours());
    }
    if (!checked.isEmpty()) {
      long agreeing = checked.stream().filter(v -> v.agreement() == Agreement.YES).count();
      out.format("%d of %d claims checked agree%n", agreeing, checked.size());
    }
    if (measurements.missing() > 0) {
      out.format("stopped: %d points are missing%n", measurements.missing());
    }
    return out.toString();
  }

  /** A row for each policy and q, a column for each value. */
  private static TextTable table(List<Measured> measured) {
    List<String> head = new ArrayList<>(List.of(""));
    measured.stream().map(m -> m.cell().value()).distinct().sorted().map(SimOutput::number).forEach(head::add);
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (Measured m : measured) {
      Cell cell = m.cell();
      String name = String.format(Locale.ROOT, "%-9s q=%-8.0f", cell.policy(), cell.minCapacity());
      rows.computeIfAbsent(name, first -> new ArrayList<>(List.of(name)))
          .add(String.format(Locale.ROOT, "%.1f ±%.1f", 100 * m.speed().mean(), 100 * m.speed().halfWidth()));
    }
    TextTable table = new TextTable().row(head);
    rows.values().forEach(table::row);
    return table;
  }

  private static String number(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }
}
