package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.Json.rounded;

import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Series;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

record SeriesJson(
    @Nullable Double throughput, @Nullable Double lowestThroughput, @Nullable Double highestThroughput,
    @Nullable Double itemsPerSecond, @Nullable Double p50Micros, @Nullable Double p90Micros, @Nullable Double p99Micros,
    @Nullable Double p999Micros, @Nullable Double maxMicros, long requests, long notStarted, long errors,
    @Nullable Map<FailureKind, Long> errorKinds, @Nullable String firstError, long reconnects,
    Map<String, @Nullable Double> processorMicrosPerRequest, @Nullable Double ratio) {

  static SeriesJson of(Series series) {
    return of(series, series.together().failures().total(), Double.NaN);
  }

  /** With another number of errors than its own, and the ratio of another workload to it, which may be NaN. */
  static SeriesJson of(Series series, long errors, double ratio) {
    Measurement together = series.together();
    Failures failures = together.failures();
    Map<String, @Nullable Double> processors = new LinkedHashMap<>();
    together.usedMicrosPerRequest().forEach((name, micros) -> processors.put(name, rounded(micros, 100)));
    return new SeriesJson(
        rounded(series.throughput(), 10), rounded(series.slowest(), 10), rounded(series.fastest(), 10),
        series.workload().itemsPerRequest() > 1 ? rounded(series.itemsPerSecond(), 10) : null,
        rounded(together.micros(50), 10), rounded(together.micros(90), 10), rounded(together.micros(99), 10),
        rounded(together.micros(99.9), 10), rounded(together.maxMicros(), 10), together.completed(),
        together.notStarted(), errors, failures.total() > 0 ? failures.counts() : null,
        failures.total() > 0 ? failures.first().orElse("") : null, together.reconnects(), processors,
        rounded(ratio, 1_000));
  }
}
