package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.Json.rounded;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.load.LoadSettings;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Second;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.service.LoadTransport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

record LoadJson(
    LoadOperation op, LoadTransport via, String server, LoadSettings.Server target, int clients,
    @Nullable Double thinkMillis, @Nullable Boolean trace, @Nullable Double rate,
    RequestArrivals.@Nullable Spacing spacing,
    @Nullable String mix, String keys, int paths, int depth, int fanOut, int eprBytes, String consistency, int rounds,
    double seconds, boolean interrupted, @JsonUnwrapped SeriesJson figures, List<Step> steps,
    LoadReport.@Nullable Added added,
    Map<String, SeriesJson> yardsticks, Map<String, String> missingYardsticks, Map<String, String> database) {

  private record Step(
      int clients, @JsonUnwrapped SeriesJson figures, Map<String, Operation> operations, List<Round> rounds,
      List<PerSecond> perSecond) {
    static Step of(LoadReport.Step step) {
      Measurement together = step.series().together();
      Map<String, Operation> operations = new LinkedHashMap<>();
      together.operations().forEach((name, latencies) -> operations.put(name, Operation.of(latencies)));
      return new Step(
          step.clients(), SeriesJson.of(step.series()), operations,
          step.series().runs().stream().map(Round::of).toList(),
          together.seconds().stream().map(PerSecond::of).toList());
    }
  }

  private record Operation(
      long requests, @Nullable Double meanMicros, @Nullable Double p50Micros, @Nullable Double p99Micros,
      @Nullable Double maxMicros) {
    static Operation of(Histogram latencies) {
      return new Operation(
          latencies.getTotalCount(), rounded(latencies.getMean() / 1e3, 10),
          rounded(Measurement.micros(latencies, 50), 10), rounded(Measurement.micros(latencies, 99), 10),
          rounded(Measurement.micros(latencies, 100), 10));
    }
  }

  private record Round(@Nullable Double throughput, @Nullable Double p50Micros, @Nullable Double p99Micros) {
    static Round of(Measurement run) {
      return new Round(rounded(run.throughput(), 10), rounded(run.micros(50), 10), rounded(run.micros(99), 10));
    }
  }

  private record PerSecond(
      @Nullable Double at, @Nullable Double throughput, @Nullable Double p50Micros, @Nullable Double p99Micros,
      long errors) {
    static PerSecond of(Second second) {
      return new PerSecond(
          rounded(second.at(), 1_000), rounded(second.perSecond(), 10), rounded(second.p50Micros(), 10),
          rounded(second.p99Micros(), 10), second.failures());
    }
  }

  static LoadJson of(LoadReport report) {
    LoadSettings settings = report.settings();
    Work work = settings.work();
    RequestArrivals.Open open = settings.arrivals() instanceof RequestArrivals.Open some ? some : null;
    Map<String, SeriesJson> yardsticks = new LinkedHashMap<>();
    for (Series yardstick : report.yardsticks()) {
      long errors = yardstick.together().failures().total();
      yardsticks.put(
          yardstick.workload().name(), SeriesJson.of(yardstick, errors, report.load().ratioTo(yardstick)));
    }
    return new LoadJson(
        settings.operation(),
        settings.via(),
        settings.serviceUrl(),
        settings.server(),
        report.best().clients(),
        settings.arrivals() instanceof RequestArrivals.Closed closed ? rounded(closed.think().toNanos() / 1e6, 1_000)
            : null,
        settings.arrivals() instanceof RequestArrivals.OfClients ? true : null,
        open == null ? null : rounded(open.perSecond(), 1_000),
        open == null ? null : open.spacing(),
        settings.operation() == LoadOperation.MIX ? work.mix().toString() : null,
        work.keys().toString(),
        work.paths(),
        work.depth(),
        work.fanOut(),
        work.referenceBytes(),
        work.consistency().toString(),
        settings.rounds(),
        settings.measured().toMillis() / 1e3,
        report.interrupted(),
        SeriesJson.of(report.load()),
        report.steps().stream().map(Step::of).toList(),
        report.added(),
        yardsticks,
        report.missing(),
        report.database());
  }
}
