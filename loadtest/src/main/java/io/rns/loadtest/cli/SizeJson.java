package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.Json.rounded;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.rns.loadtest.load.SizeBenchmark;
import io.rns.loadtest.load.SizeReport;
import io.rns.loadtest.measure.Series;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

record SizeJson(
    String op, String server, int clients, int rounds, long entries, String directory, boolean kept,
    @JsonUnwrapped SeriesJson coldLarge, Map<String, @Nullable Double> entriesPerSecond,
    Map<String, @Nullable Object> pages, Queries queries, Cold cold, Map<String, String> yardsticks) {

  private record Queries(SeriesJson alone, SeriesJson whileListing, long pagesListed, @Nullable Double ratio) {}

  private record Cold(SeriesJson small, SeriesJson large, @Nullable Double ratio) {}

  static SizeJson of(SizeReport report) {
    SizeBenchmark.Settings settings = report.settings();
    Map<String, @Nullable Double> speeds = new LinkedHashMap<>();
    report.entriesPerSecond().forEach((name, speed) -> speeds.put(name, rounded(speed, 1)));
    Map<String, @Nullable Object> pages = new LinkedHashMap<>();
    for (Series page : report.pages()) {
      pages.put(page.workload().name(), SeriesJson.of(page));
    }
    pages.put("ratio", rounded(report.pagesRatio(), 1_000));
    return new SizeJson(
        LoadCommand.SIZE,
        settings.service().url().toString(),
        settings.clients(),
        settings.rounds(),
        report.entries(),
        report.directory().toString(),
        settings.keep() || settings.reuse().isPresent(),
        SeriesJson.of(report.coldLarge(), report.errors(), Double.NaN),
        speeds,
        pages,
        new Queries(
            SeriesJson.of(report.alone()), SeriesJson.of(report.whileListing()), report.pagesListed(),
            rounded(report.listingRatio(), 1_000)),
        new Cold(
            SeriesJson.of(report.coldSmall()), SeriesJson.of(report.coldLarge()), rounded(report.coldRatio(), 1_000)),
        Map.of());
  }
}
