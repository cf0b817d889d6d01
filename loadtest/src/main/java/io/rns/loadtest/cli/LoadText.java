package io.rns.loadtest.cli;

import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.load.LoadSettings;
import io.rns.loadtest.load.SizeReport;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Series;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

final class LoadText {
  private final Formatter out = new Formatter(Locale.ROOT);

  private LoadText() {}

  static String of(LoadReport report) {
    LoadText text = new LoadText();
    text.settings(report.settings());
    if (report.interrupted()) {
      text.out.format("stopped early: results so far%n");
    }
    TextTable table = table("ratio to it");
    report.steps().forEach(step -> row(table, step.series(), ""));
    report.steps().forEach(step -> operations(table, step.series()));
    report.yardsticks().forEach(yardstick -> row(table, yardstick, ratio(report.load().ratioTo(yardstick))));
    text.out.format("%s", table);
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
    return text.out.toString();
  }

  static String of(SizeReport report) {
    LoadText text = new LoadText();
    text.out.format(
        "%,d entries in one directory and as many in a tree, %d clients, %d rounds, %s%n",
        report.entries(), report.settings().clients(), report.settings().rounds(), report.settings().service().url());
    report.entriesPerSecond().forEach((name, speed) -> text.out.format("made '%s': %,.0f entries/s%n", name, speed));
    TextTable table = table("");
    report.all().forEach(series -> row(table, series, ""));
    text.out.format("%sslowest to fastest page: %s%n", table, ratio(report.pagesRatio()));
    text.out.format(
        "p99 of queries while listing (%,d pages) to alone: %s%n", report.pagesListed(), ratio(report.listingRatio()));
    text.out.format("cold queries per second, small to large tree: %s%n", ratio(report.coldRatio()));
    if (report.settings().keep() || report.settings().reuse().isPresent()) {
      text.out.format("kept: %s (measure again with --reuse %s)%n", report.directory(), report.directory());
    }
    report.all().forEach(text::failures);
    return text.out.toString();
  }

  private void settings(LoadSettings settings) {
    out.format(
        "%s by %s, %s clients%s, %d rounds, %.1f s measured each, %s%n",
        settings.operation(),
        settings.via(),
        settings.steps().stream().map(String::valueOf).collect(Collectors.joining(", ")),
        arrivals(settings.arrivals()),
        settings.rounds(),
        settings.measured().toMillis() / 1e3,
        switch (settings.server()) {
          case RNS -> settings.serviceUrl();
          case NONE -> "not sent";
          case SOCKET -> "to an idle process";
        });
    if (settings.operation() == LoadOperation.MIX) {
      out.format("mix: %s; keys: %s%n", settings.work().mix(), settings.work().keys());
    }
  }

  private static String arrivals(RequestArrivals arrivals) {
    return switch (arrivals) {
      case RequestArrivals.Closed closed ->
        closed.think().isZero() ? ""
            : String.format(Locale.ROOT, " that think %.1f ms", closed.think().toNanos() / 1e6);
      case RequestArrivals.OfClients trace -> " at the times of the trace";
      case RequestArrivals.Open open ->
        String.format(Locale.ROOT, ", %,.1f requests/s due in %s steps", open.perSecond(), open.spacing());
    };
  }

  private static TextTable table(String last) {
    return new TextTable().row(
        "", "requests/s", "lowest", "highest", "items/s", "p50 us", "p99 us", "max us", "errors", last);
  }

  private static void row(TextTable table, Series series, String last) {
    Measurement together = series.together();
    table.row(
        series.workload().name(), whole(series.throughput()), whole(series.slowest()), whole(series.fastest()),
        whole(series.itemsPerSecond()), whole(together.micros(50)), whole(together.micros(99)),
        whole(together.maxMicros()), whole((double) together.failures().total()), last);
  }

  private static void operations(TextTable table, Series series) {
    Map<String, Histogram> operations = series.together().operations();
    if (!operations.isEmpty()) {
      table.row(series.workload().name() + ", by operation", "requests");
    }
    operations.forEach(
        (name, latencies) -> table.row(
            "  " + name, whole((double) latencies.getTotalCount()), "", "", "",
            whole(Measurement.micros(latencies, 50)),
            whole(Measurement.micros(latencies, 99)), whole(Measurement.micros(latencies, 100))));
  }

  private void processors(Series series) {
    List<String> each =
        series.together().usedMicrosPerRequest().entrySet().stream()
            .map(used -> used.getKey() + " " + whole(used.getValue()))
            .toList();
    if (!each.isEmpty()) {
      out.format("processor time per request, us: %s%n", String.join(", ", each));
    }
  }

  private void notStarted(Series series) {
    long count = series.together().notStarted();
    if (count > 0) {
      out.format(
          "%s: %,d requests were due but never found a free client; they count with their waiting time%n",
          series.workload().name(), count);
    }
  }

  private void failures(Series series) {
    if (series.together().failures().total() > 0) {
      out.format("errors of %s: %s%n", series.workload().name(), series.together().failures());
    }
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  private static String ratio(double ratio) {
    return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "-";
  }
}
