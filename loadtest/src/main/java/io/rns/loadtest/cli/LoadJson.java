package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.load.LoadSettings;
import io.rns.loadtest.load.SizeBenchmark;
import io.rns.loadtest.load.SizeReport;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.Arrivals;
import io.rns.loadtest.measure.Details;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Second;
import io.rns.loadtest.measure.Series;
import org.HdrHistogram.Histogram;

/** Reports as JSON. */
final class LoadJson {
  private static final JsonMapper MAPPER = new JsonMapper();

  private LoadJson() {}

  static ObjectNode of(LoadReport report) {
    ObjectNode document = MAPPER.createObjectNode();
    document.put("op", report.settings().operation().toString());
    document.put("via", report.settings().via().toString());
    document.put("server", report.settings().serviceUrl());
    document.put("target", report.settings().server().toString());
    document.put("clients", report.best().clients());
    arrivals(document, report.settings().arrivals());
    work(document, report.settings());
    document.put("rounds", report.settings().rounds());
    document.put("seconds", report.settings().measured().toMillis() / 1e3);
    document.put("interrupted", report.interrupted());
    figures(document, report.load());
    ArrayNode steps = document.putArray("steps");
    for (LoadReport.Step step : report.steps()) {
      step(steps.addObject(), step);
    }
    LoadReport.Added added = report.added();
    if (added != null) {
      ObjectNode node = document.putObject("added");
      node.put("acknowledged", added.acknowledged());
      node.put("found", added.found());
      node.put("lost", added.lost());
    }
    ObjectNode yardsticks = document.putObject("yardsticks");
    for (Series yardstick : report.yardsticks()) {
      ObjectNode node = yardsticks.putObject(yardstick.workload().name());
      figures(node, yardstick);
      put(node, "ratio", report.load().ratioTo(yardstick), 1_000);
    }
    ObjectNode missing = document.putObject("missingYardsticks");
    report.missing().forEach(missing::put);
    ObjectNode database = document.putObject("database");
    report.database().forEach(database::put);
    return document;
  }

  private static void arrivals(ObjectNode document, Arrivals arrivals) {
    switch (arrivals) {
      case Arrivals.Closed closed -> put(document, "thinkMillis", closed.think().toNanos() / 1e6, 1_000);
      case Arrivals.OfClients trace -> document.put("trace", true);
      case Arrivals.Open open -> {
        put(document, "rate", open.perSecond(), 1_000);
        document.put("spacing", open.spacing().toString());
      }
    }
  }

  private static void work(ObjectNode document, LoadSettings settings) {
    Work work = settings.work();
    if (settings.operation() == LoadOperation.MIX) {
      document.put("mix", work.mix().toString());
    }
    document.put("keys", work.keys().toString());
    document.put("paths", work.paths());
    document.put("depth", work.depth());
    document.put("fanOut", work.fanOut());
    document.put("eprBytes", work.referenceBytes());
    document.put("consistency", work.consistency().toString());
  }

  private static void operation(ObjectNode node, Histogram latencies) {
    node.put("requests", latencies.getTotalCount());
    put(node, "meanMicros", latencies.getMean() / 1e3, 10);
    put(node, "p50Micros", Measurement.micros(latencies, 50), 10);
    put(node, "p99Micros", Measurement.micros(latencies, 99), 10);
    put(node, "maxMicros", Measurement.micros(latencies, 100), 10);
  }

  private static void step(ObjectNode node, LoadReport.Step step) {
    node.put("clients", step.clients());
    figures(node, step.series());
    ObjectNode operations = node.putObject("operations");
    Details details = step.series().together().details();
    details.operations().forEach((name, latencies) -> operation(operations.putObject(name), latencies));
    ArrayNode rounds = node.putArray("rounds");
    for (Measurement run : step.series().runs()) {
      ObjectNode round = rounds.addObject();
      put(round, "throughput", run.throughput(), 10);
      put(round, "p50Micros", run.micros(50), 10);
      put(round, "p99Micros", run.micros(99), 10);
    }
    ArrayNode seconds = node.putArray("perSecond");
    for (Second second : details.seconds()) {
      ObjectNode one = seconds.addObject();
      put(one, "at", second.at(), 1_000);
      put(one, "throughput", second.perSecond(), 10);
      put(one, "p50Micros", second.p50Micros(), 10);
      put(one, "p99Micros", second.p99Micros(), 10);
      one.put("errors", second.failures());
    }
  }

  static ObjectNode of(SizeReport report) {
    SizeBenchmark.Settings settings = report.settings();
    ObjectNode document = MAPPER.createObjectNode();
    document.put("op", "size");
    document.put("server", settings.serviceUrl());
    document.put("clients", settings.clients());
    document.put("rounds", settings.rounds());
    document.put("entries", report.entries());
    document.put("directory", report.directory().toString());
    document.put("kept", settings.keep() || settings.reuse().isPresent());
    figures(document, report.coldLarge());
    document.put("errors", report.errors());
    ObjectNode fill = document.putObject("entriesPerSecond");
    report.entriesPerSecond().forEach((name, speed) -> put(fill, name, speed, 1));
    ObjectNode pages = document.putObject("pages");
    for (Series page : report.pages()) {
      figures(pages.putObject(page.workload().name()), page);
    }
    put(pages, "ratio", report.pagesRatio(), 1_000);
    ObjectNode queries = document.putObject("queries");
    figures(queries.putObject("alone"), report.alone());
    figures(queries.putObject("whileListing"), report.whileListing());
    queries.put("pagesListed", report.pagesListed());
    put(queries, "ratio", report.listingRatio(), 1_000);
    ObjectNode cold = document.putObject("cold");
    figures(cold.putObject("small"), report.coldSmall());
    figures(cold.putObject("large"), report.coldLarge());
    put(cold, "ratio", report.coldRatio(), 1_000);
    document.putObject("yardsticks");
    return document;
  }

  private static void figures(ObjectNode node, Series series) {
    Measurement together = series.together();
    put(node, "throughput", series.throughput(), 10);
    put(node, "lowestThroughput", series.slowest(), 10);
    put(node, "highestThroughput", series.fastest(), 10);
    if (series.workload().itemsPerRequest() > 1) {
      put(node, "itemsPerSecond", series.itemsPerSecond(), 10);
    }
    put(node, "p50Micros", together.micros(50), 10);
    put(node, "p90Micros", together.micros(90), 10);
    put(node, "p99Micros", together.micros(99), 10);
    put(node, "p999Micros", together.micros(99.9), 10);
    put(node, "maxMicros", together.maxMicros(), 10);
    node.put("requests", together.completed());
    node.put("notStarted", together.details().notStarted());
    Failures failures = together.failures();
    node.put("errors", failures.total());
    if (failures.total() > 0) {
      ObjectNode kinds = node.putObject("errorKinds");
      failures.counts().forEach((kind, count) -> kinds.put(kind.name(), count));
      node.put("firstError", failures.first().orElse(""));
    }
    node.put("reconnects", together.reconnects());
    ObjectNode processors = node.putObject("processorMicrosPerRequest");
    together.usedMicrosPerRequest().forEach((name, micros) -> put(processors, name, micros, 100));
  }

  /** Puts a rounded number; omits NaN and infinity, which JSON lacks. */
  static void put(ObjectNode node, String name, double value, int parts) {
    if (Double.isFinite(value)) {
      node.put(name, Math.round(value * parts) / (double) parts);
    }
  }
}
