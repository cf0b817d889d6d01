package io.rns.loadtest.cli;

import io.rns.loadtest.drill.DrillReport;
import io.rns.loadtest.drill.DrillReport.Struck;
import io.rns.loadtest.drill.Fault;
import io.rns.loadtest.history.Violation;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Reports of drills for people. */
final class DrillText {
  private static final int MOST_SHOWN = 20;

  private DrillText() {}

  static String of(DrillReport report) {
    Formatter out = new Formatter(Locale.ROOT);
    out.format("%-16s %7s  %22s  %22s  %22s%n", "", "times", "no write, ms", "no session read, ms",
        "all serving again, ms");
    out.format("%-16s %7s  %22s  %22s  %22s%n", "", "", "median / most", "median / most", "median / most");
    for (Fault fault : Fault.values()) {
      List<Struck> struck = report.faults().stream().filter(s -> s.fault() == fault).toList();
      if (!struck.isEmpty()) {
        out.format(
            "%-16s %7d  %22s  %22s  %22s%n",
            fault,
            struck.size(),
            both(struck, Struck::writeOutageMillis),
            both(struck, Struck::readOutageMillis),
            both(struck, Struck::servingAgainMillis));
      }
    }
    out.format("%nlag of replicas, ms: %s%n", report.lagMillis());
    out.format("checked: %s%n%n", report.seen());
    report.counts().forEach((promise, count) -> out.format("%-36s %6d%n", promise.broken(), count));
    for (Violation violation : report.violations().subList(0, Math.min(MOST_SHOWN, report.violations().size()))) {
      out.format("%n%s%n", violation);
    }
    report.incomplete().forEach(why -> out.format("%nincomplete: %s%n", why));
    report.history().ifPresent(file -> out.format("%nhistory: %s%n", file));
    report.logs().ifPresent(directory -> out.format("%nlogs: %s%n", directory));
    out.format("%n%s%n", report.isPassed() ? "PASSED" : "FAILED");
    return out.toString().replaceAll(" +\n", "\n");
  }

  private static String both(List<Struck> struck, ToDoubleFunction<Struck> value) {
    return String.format(Locale.ROOT, "%,.0f / %,.0f", median(struck, value),
        struck.stream().mapToDouble(value).max().orElse(0));
  }

  static double median(List<Struck> struck, ToDoubleFunction<Struck> value) {
    double[] sorted = struck.stream().mapToDouble(value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
