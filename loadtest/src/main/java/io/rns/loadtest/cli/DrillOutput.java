package io.rns.loadtest.cli;

import io.rns.loadtest.drill.DrillFault;
import io.rns.loadtest.drill.DrillReport;
import io.rns.loadtest.drill.DrillReport.Struck;
import io.rns.loadtest.drill.DrillReport.WarmUp;
import io.rns.loadtest.history.Violation;
import io.rns.loadtest.measure.Series;
import java.nio.file.Path;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a drill prints: its report as JSON, or as {@link #text}. */
record DrillOutput(
    boolean passed, String verdict, int rate, int rounds, @Nullable WarmedUp warmUp, Map<DrillFault, Outages> faults,
    Map<String, Double> lagMillis,
    Map<String, Long> checked, Map<String, Long> violations, List<String> details, List<String> incomplete,
    @Nullable String history, @Nullable String logs) {
  private static final Pattern WORD = Pattern.compile("[ _](.)");
  private static final int MOST_SHOWN = 20;

  /** The load before the first fault, with the longest gaps at its end. */
  private record WarmedUp(boolean warm, double seconds, long writeOutageMillis, long readOutageMillis) {
    static WarmedUp of(WarmUp done) {
      return new WarmedUp(
          done.warm(), Math.round(done.seconds() * 10) / 10.0, Math.round(done.writeMillis()),
          Math.round(done.readMillis()));
    }
  }

  /** A fault; outages are null if it never happened. */
  private record Outages(
      int times, @Nullable Outage writeOutageMillis, @Nullable Outage readOutageMillis,
      @Nullable Outage calmReadMillis, @Nullable Outage servingAgainMillis) {
    static Outages of(DrillFault fault, DrillReport report) {
      List<Struck> struck = report.faults().stream().filter(one -> one.fault() == fault).toList();
      return new Outages(
          struck.size(), Outage.of(struck, Struck::writeOutageMillis), Outage.of(struck, Struck::readOutageMillis),
          Outage.of(struck, Struck::calmReadMillis), Outage.of(struck, Struck::servingAgainMillis));
    }
  }

  private record Outage(long median, long max) {
    static @Nullable Outage of(List<Struck> struck, ToDoubleFunction<Struck> value) {
      double[] millis = struck.stream().mapToDouble(value).sorted().toArray();
      return millis.length == 0
          ? null
          : new Outage(Math.round(Series.median(millis)), Math.round(millis[millis.length - 1]));
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%,d / %,d", median, max);
    }
  }

  static DrillOutput of(DrillReport report) {
    Map<DrillFault, Outages> faults = new LinkedHashMap<>();
    report.settings().faults().forEach(fault -> faults.put(fault, Outages.of(fault, report)));
    Map<String, Long> checked = new LinkedHashMap<>();
    report.seen().forEach((what, count) -> checked.put(camelCase(what), count));
    Map<String, Long> violations = new LinkedHashMap<>();
    report.counts()
        .forEach((promise, count) -> violations.put(camelCase(promise.name().toLowerCase(Locale.ROOT)), count));
    return new DrillOutput(
        report.isPassed(), report.verdict().name().toLowerCase(Locale.ROOT), report.settings().rate(),
        report.settings().rounds(), report.warmUp().map(WarmedUp::of).orElse(null), faults, report.lagMillis(), checked,
        violations, report.violations().stream().map(Violation::toString).toList(), report.incomplete(),
        report.history().map(Path::toString).orElse(null), report.logs().map(Path::toString).orElse(null));
  }

  private static String camelCase(String words) {
    return WORD.matcher(words).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
  }

  static String text(DrillReport report) {
    TextTable faults =
        new TextTable()
            .row("", "times", "no write, ms", "no session read, ms", "calm, ms", "all serving again, ms")
            .row("", "", "median / most", "median / most", "median / most", "median / most");
    for (DrillFault fault : DrillFault.values()) {
      Outages of = Outages.of(fault, report);
      if (of.times > 0) {
        faults.row(
            fault.toString(), String.valueOf(of.times), String.valueOf(of.writeOutageMillis),
            String.valueOf(of.readOutageMillis), String.valueOf(of.calmReadMillis),
            String.valueOf(of.servingAgainMillis));
      }
    }
    TextTable promises = new TextTable();
    report.counts().forEach((promise, count) -> promises.row(promise.broken(), count.toString()));
    Formatter out = new Formatter(Locale.ROOT);
    report.warmUp().ifPresent(done -> out.format("%s%n%n", done));
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
}
