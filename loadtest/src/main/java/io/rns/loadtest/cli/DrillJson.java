package io.rns.loadtest.cli;

import io.rns.loadtest.drill.DrillReport;
import io.rns.loadtest.drill.DrillReport.Struck;
import io.rns.loadtest.drill.DrillFault;
import io.rns.loadtest.history.Violation;
import io.rns.loadtest.measure.Series;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

record DrillJson(
    boolean passed, String verdict, int rate, int rounds, Map<DrillFault, Outages> faults,
    Map<String, Double> lagMillis,
    Map<String, Long> checked, Map<String, Long> violations, List<String> details, List<String> incomplete,
    @Nullable String history, @Nullable String logs) {
  private static final Pattern WORD = Pattern.compile("[ _](.)");

  /** A fault; outages are null if it never happened. */
  private record Outages(
      int times, @Nullable Outage writeOutageMillis, @Nullable Outage readOutageMillis,
      @Nullable Outage calmReadMillis, @Nullable Outage servingAgainMillis) {
    static Outages of(List<Struck> struck) {
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
  }

  static DrillJson of(DrillReport report) {
    Map<DrillFault, Outages> faults = new LinkedHashMap<>();
    for (DrillFault fault : report.settings().faults()) {
      faults.put(fault, Outages.of(report.faults().stream().filter(struck -> struck.fault() == fault).toList()));
    }
    Map<String, Long> checked = new LinkedHashMap<>();
    report.seen().forEach((what, count) -> checked.put(camelCase(what), count));
    Map<String, Long> violations = new LinkedHashMap<>();
    report.counts()
        .forEach((promise, count) -> violations.put(camelCase(promise.name().toLowerCase(Locale.ROOT)), count));
    return new DrillJson(
        report.isPassed(), report.verdict().name().toLowerCase(Locale.ROOT), report.settings().rate(),
        report.settings().rounds(), faults, report.lagMillis(), checked,
        violations, report.violations().stream().map(Violation::toString).toList(), report.incomplete(),
        report.history().map(Path::toString).orElse(null), report.logs().map(Path::toString).orElse(null));
  }

  private static String camelCase(String words) {
    return WORD.matcher(words).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
  }
}
