package io.rns.loadtest.cli;

import io.rns.loadtest.figure.Cell;
import io.rns.loadtest.figure.Figure;
import io.rns.loadtest.figure.Measured;
import io.rns.loadtest.figure.Measurements;
import io.rns.loadtest.figure.Verdict;
import io.rns.loadtest.figure.Verdict.Agreement;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/** Prints simulations for people: a table of speeds per figure, and the checked claims. */
final class SimText {
  private SimText() {}

  static String of(Measurements measurements, List<Verdict> verdicts) {
    Formatter out = new Formatter(Locale.ROOT);
    for (Figure figure : Figure.values()) {
      List<Measured> measured = measurements.of(figure);
      if (!measured.isEmpty()) {
        table(out, figure, measured);
      }
    }
    List<Verdict> checked = verdicts.stream().filter(v -> v.agreement() != Agreement.NOT_MEASURED).toList();
    for (Verdict verdict : checked) {
      out.format("%-5s %-4s %s (%s: %s)%n", verdict.id(), verdict.agreement(), verdict.claim(), verdict.source(),
          verdict.expected());
      out.format("           %s%n", verdict.ours());
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

  private static void table(Formatter out, Figure figure, List<Measured> measured) {
    List<Double> values = measured.stream().map(m -> m.cell().value()).distinct().sorted().toList();
    out.format("Figure %s: handling speed in %% (± half of the 95 %% interval) by %s%n", figure, figure.quantity());
    out.format("%-20s", "");
    values.forEach(value -> out.format(" %12s", number(value)));
    out.format("%n");
    Cell row = null;
    for (Measured m : measured) {
      Cell cell = m.cell();
      if (row == null || cell.policy() != row.policy() || cell.minCapacity() != row.minCapacity()) {
        out.format("%s%-9s q=%-8.0f", row == null ? "" : "\n", cell.policy(), cell.minCapacity());
      }
      row = cell;
      out.format(" %12s",
          String.format(Locale.ROOT, "%.1f ±%.1f", 100 * m.speed().mean(), 100 * m.speed().halfWidth()));
    }
    out.format("%n%n");
  }

  private static String number(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }
}
