package io.rns.loadtest.cli;

import io.rns.loadtest.drill.DrillReport;
import io.rns.loadtest.drill.DrillReport.Struck;
import io.rns.loadtest.drill.DrillFault;
import io.rns.loadtest.measure.Series;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

final class DrillText {
  private static final int MOST_SHOWN = 20;

  private DrillText() {}

  static String of(DrillReport report) {
    TextTable faults =
        new TextTable()
            .row("", "times", "no write, ms", "no session read, ms", "calm, ms", "all serving again, ms")
            .row("", "", "median / most", "median / most", "median / most", "median / most");
    for (DrillFault fault : DrillFault.values()) {
      List<Struck> struck = report.faults().stream().filter(one -> one.fault() == fault).toList();
      if (!struck.isEmpty()) {
        faults.row(
            fault.toString(), String.valueOf(struck.size()), both(struck, Struck::writeOutageMillis),
            both(struck, Struck::readOutageMillis), both(struck, Struck::calmReadMillis),
            both(struck, Struck::servingAgainMillis));
      }
    }
    TextTable promises = new TextTable();
    report.counts().forEach((promise, count) -> promises.row(promise.broken(), count.toString()));
    Formatter out = new Formatter(Locale.ROOT);
    out.format("%s%nlag of replicas, ms: %s%n", faults, report.lagMillis());
    out.format("checked: %s%n%n%s", report.seen(), promises);
    report.violations().stream().limit(MOST_SHOWN).forEach(violation -> out.format("%n%s%n", violation));
    report.incomplete().forEach(why -> out.format("%nincomplete: %s%n", why));
    report.history().ifPresent(file -> out.format("%nhistory: %s%n", file));
    report.logs().ifPresent(directory -> out.format("%nlogs: %s%n", directory));
    String verdict =
        switch (report.verdict()) {
          case PASSED -> "PASSED";
          case INCOMPLETE -> "INCOMPLETE: no promise was broken, but something was too slow or did not happen";
          case FAILED -> "FAILED: a promise was broken";
        };
    return out.format("%n%s%n", verdict).toString();
  }

  private static String both(List<Struck> struck, ToDoubleFunction<Struck> value) {
    double[] millis = struck.stream().mapToDouble(value).sorted().toArray();
    return String.format(Locale.ROOT, "%,.0f / %,.0f", Series.median(millis), millis[millis.length - 1]);
  }
}
