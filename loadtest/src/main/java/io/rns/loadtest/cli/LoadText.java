package io.rns.loadtest.cli;

import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.load.SizeReport;
import io.rns.loadtest.measure.Arrivals;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Series;
import java.util.Formatter;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Reports for people. */
final class LoadText {
  private final Formatter out = new Formatter(Locale.ROOT);

  private LoadText() {}

  static String of(LoadReport report) {
    LoadText text = new LoadText();
    text.out.format(
        "%s by %s, %s clients%s, %d rounds, %.1f s measured each, %s%n",
        report.settings().operation(),
        report.settings().via(),
        report.settings().steps().stream().map(String::valueOf).collect(Collectors.joining(", ")),
        arrivals(report.settings().arrivals()),
        report.settings().rounds(),
        report.settings().measured().toMillis() / 1e3,
        switch (report.settings().server()) {
          case RNS -> report.settings().serviceUrl();
          case NONE -> "not sent";
          case SOCKET -> "to an idle process";
        });
    if (report.settings().operation() == LoadOperation.MIX) {
      text.out.format("mix: %s; keys: %s%n", report.settings().work().mix(), report.settings().work().keys());
    }
    if (report.interrupted()) {
      text.out.format("stopped early: results so far%n");
    }
    text.head("ratio to it");
    report.steps().forEach(step -> text.row(step.series(), ""));
    report.steps().forEach(step -> text.operations(step.series()));
    for (Series yardstick : report.yardsticks()) {
      text.row(yardstick, ratio(report.load().ratioTo(yardstick)));
    }
    report.missing().forEach((name, why) -> text.out.format("without the yardstick %s: %s%n", name, why));
    if (!report.database().isEmpty()) {
      text.out.format("database: %s%n", report.database());
    }
    text.processors(report.load());
    LoadReport.Added added = report.added();
    if (added != null) {
      text.out.format("added: %,d acknowledged, %,d found, %,d lost%n", added.acknowledged(), added.found(),
          added.lost());
    }
    report.steps().forEach(step -> text.notStarted(step.series()));
    report.steps().forEach(step -> text.failures(step.series()));
    report.yardsticks().forEach(text::failures);
    return text.out.toString().replaceAll(" +\n", "\n");
  }

  static String of(SizeReport report) {
    LoadText text = new LoadText();
    text.out.format(
        "%,d entries in one directory and as many in a tree, %d clients, %d rounds, %s%n",
        report.entries(),
        report.settings().clients(),
        report.settings().rounds(),
        report.settings().serviceUrl());
    report.entriesPerSecond().forEach((name, speed) -> text.out.format("made '%s': %,.0f entries/s%n", name, speed));
    text.head("");
    report.all().forEach(series -> text.row(series, ""));
    text.out.format("slowest to fastest page: %s%n", ratio(report.pagesRatio()));
    text.out.format(
        "p99 of queries while listing (%,d pages) to alone: %s%n", report.pagesListed(), ratio(report.listingRatio()));
    text.out.format("cold queries per second, small to large tree: %s%n", ratio(report.coldRatio()));
    if (report.settings().keep() || report.settings().reuse().isPresent()) {
      text.out.format("kept: %s (measure again with --reuse %s)%n", report.directory(), report.directory());
    }
    report.all().forEach(text::failures);
    return text.out.toString().replaceAll(" +\n", "\n");
  }

  private static String arrivals(Arrivals arrivals) {
    return switch (arrivals) {
      case Arrivals.Closed closed ->
        closed.think().isZero() ? ""
            : String.format(Locale.ROOT, " that think %.1f ms", closed.think().toNanos() / 1e6);
      case Arrivals.OfClients trace -> " at the times of the trace";
      case Arrivals.Open open ->
        String.format(Locale.ROOT, ", %,.1f requests/s due in %s steps", open.perSecond(), open.spacing());
    };
  }

  private void notStarted(Series series) {
    long count = series.together().details().notStarted();
    if (count > 0) {
      out.format(
          "%s: %,d requests were due but never found a free client; they count with their waiting time%n",
          series.workload().name(), count);
    }
  }

  private void head(String last) {
    out.format(
        "%-42s %11s %11s %11s %11s %9s %9s %10s %7s  %s%n",
        "", "requests/s", "lowest", "highest", "items/s", "p50 us", "p99 us", "max us", "errors", last);
  }

  private void row(Series series, String last) {
    Measurement together = series.together();
    out.format(
        "%-42s %,11.0f %,11.0f %,11.0f %,11.0f %,9.0f %,9.0f %,10.0f %,7d  %s%n",
        series.workload().name(),
        series.throughput(),
        series.slowest(),
        series.fastest(),
        series.itemsPerSecond(),
        together.micros(50),
        together.micros(99),
        together.maxMicros(),
        together.failures().total(),
        last);
  }

  private void operations(Series series) {
    Map<String, Histogram> operations = series.together().details().operations();
    if (!operations.isEmpty()) {
      out.format("%s, by operation%n", series.workload().name());
    }
    operations.forEach(
        (name, latencies) -> out.format(
            "  %-40s %,11d requests %35s %,9.0f %,9.0f %,10.0f%n",
            name,
            latencies.getTotalCount(),
            "",
            Measurement.micros(latencies, 50),
            Measurement.micros(latencies, 99),
            Measurement.micros(latencies, 100)));
  }

  private void processors(Series series) {
    StringJoiner each = new StringJoiner(", ");
    series
        .together()
        .usedMicrosPerRequest()
        .forEach((name, micros) -> each.add(String.format(Locale.ROOT, "%s %,.0f", name, micros)));
    if (each.length() > 0) {
      out.format("processor time per request, us: %s%n", each);
    }
  }

  private void failures(Series series) {
    Failures failures = series.together().failures();
    if (failures.total() > 0) {
      out.format("errors of %s: %s%n", series.workload().name(), failures);
    }
  }

  private static String ratio(double ratio) {
    return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "-";
  }
}
