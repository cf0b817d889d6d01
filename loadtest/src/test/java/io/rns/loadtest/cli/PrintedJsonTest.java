package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.api.Consistency;
import io.rns.api.RnsPath;
import io.rns.client.CredentialSource;
import io.rns.client.http.TlsTrust;
import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.drill.DrillReport;
import io.rns.loadtest.drill.DrillReport.Struck;
import io.rns.loadtest.drill.DrillReport.WarmUp;
import io.rns.loadtest.drill.DrillSettings;
import io.rns.loadtest.drill.DrillFault;
import io.rns.loadtest.figure.Cell;
import io.rns.loadtest.figure.Estimate;
import io.rns.loadtest.figure.Experiment;
import io.rns.loadtest.figure.Figure;
import io.rns.loadtest.figure.Measured;
import io.rns.loadtest.figure.Measurements;
import io.rns.loadtest.figure.Verdict;
import io.rns.loadtest.history.Promise;
import io.rns.loadtest.history.Violation;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.load.LoadSettings;
import io.rns.loadtest.load.SizeBenchmark;
import io.rns.loadtest.load.SizeReport;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Comparison;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Second;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Mix;
import io.rns.pool.PolicyType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Scripts read the printed JSON: names, order, numbers and layout are those of the files beside this test. */
class PrintedJsonTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static void assertPrinted(String file, String printed) throws IOException {
    try (InputStream expected = PrintedJsonTest.class.getResourceAsStream(file)) {
      assertThat(expected).as(file).isNotNull();
      assertThat(printed + "\n").isEqualTo(new String(expected.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Histogram latencies(long micros, long count) {
    Histogram latencies = Measurement.newHistogram();
    latencies.recordValueWithCount(micros * 1_000, count);
    return latencies;
  }

  private static Measurement measured(long micros, long count) {
    Failures failures = new Failures();
    failures.add(FailureKind.TIMEOUT, "late");
    Map<String, Histogram> operations = Map.of("query", latencies(micros, count), "add", latencies(2 * micros, 3));
    Second second = new Second(1.00049, count, 2, micros, micros + 1.26, micros + 2);
    return new Measurement(
        latencies(micros, count), operations, count, 3, List.of(second), failures, SECOND, 4,
        Map.of("generator", Duration.ofMillis(7)));
  }

  private static Measurement plain(long micros, long count) {
    return new Measurement(latencies(micros, count), new Failures(), SECOND, 0, Map.of());
  }

  private static Series series(String name, int items, Measurement... runs) {
    return new Series(new Workload(name, items, List::of, SECOND), List.of(runs));
  }

  private static LoadSettings settings(LoadOperation operation, RequestArrivals arrivals, List<Integer> clients) {
    Work work = new Work(Mix.parse("hdfs"), 100, 4, 50, Keys.UNIFORM, 7, Consistency.SESSION);
    return new LoadSettings(
        operation, LoadTransport.RAW, "http://127.0.0.1:1/rns", TlsTrust.SYSTEM, CredentialSource.NONE,
        LoadSettings.Server.RNS, clients,
        arrivals, 2,
        Duration.ofMillis(1_500), SECOND, work, true, Optional.empty(), Map.of(), SECOND);
  }

  private static LoadReport report(
      LoadSettings settings, List<LoadReport.Step> steps, List<Series> yardsticks, LoadReport.@Nullable Added added) {
    Map<String, String> database = new LinkedHashMap<>();
    database.put("version", "11.8");
    database.put("durability", "full");
    return new LoadReport(settings, steps, yardsticks, Map.of("echo", "not deployed"), database, added, false);
  }

  @Test
  void ofAMix() throws IOException {
    List<LoadReport.Step> steps =
        List.of(
            new LoadReport.Step(1, series("mix, 1 clients", 1, measured(100, 1_000), measured(110, 900))),
            new LoadReport.Step(2, series("mix, 2 clients", 1, measured(120, 1_100), measured(130, 1_207))));
    LoadReport report =
        report(
            settings(LoadOperation.MIX, new RequestArrivals.Closed(Duration.ofNanos(1_234_567)), List.of(1, 2)), steps,
            List.of(series("nullOperation", 1, plain(50, 2_000), plain(50, 2_100))), new LoadReport.Added(10, 9));
    assertPrinted("load-mix.json", Json.pretty(LoadJson.of(report)));
  }

  @Test
  void ofAnOpenLoopWithBatches() throws IOException {
    LoadReport report =
        report(
            settings(LoadOperation.QUERY_BATCH,
                new RequestArrivals.Open(500.12345, RequestArrivals.Spacing.POISSON, 1, 0),
                List.of(4)),
            List.of(new LoadReport.Step(4, series("query-batch", 100, plain(100, 500), plain(90, 490)))),
            List.of(series("idle", 1, plain(50, 0), plain(50, 0))), null);
    assertPrinted("load-open.json", Json.pretty(LoadJson.of(report)));
  }

  @Test
  void ofATraceWithItsBaseline() throws IOException {
    LoadReport report =
        report(
            settings(LoadOperation.TRACE, new RequestArrivals.OfClients(), List.of(3)),
            List.of(new LoadReport.Step(3, series("trace", 1, plain(100, 500)))), List.of(), null);
    ObjectNode document = Json.MAPPER.valueToTree(LoadJson.of(report));
    List<Double> before = List.of(1_000.0, 1_010.0);
    List<Double> now = List.of(800.0, 810.0);
    OutputOptions.addBaseline(
        List.of(
            Baseline.Line.of(3, "throughput", Comparison.of(before, now, 0.05, true)),
            Baseline.Line.of(3, "p50Micros", Comparison.of(before, now, 0.05, false))),
        document);
    assertPrinted("load-trace.json", Json.pretty(document));
  }

  @Test
  void ofSizes() throws IOException {
    SizeBenchmark.Settings settings =
        new SizeBenchmark.Settings(HttpTarget.of("http://127.0.0.1:1/rns"), 5_000, 2, 2, SECOND, SECOND,
            Optional.empty(), true,
            SECOND);
    Map<String, Double> speeds = new LinkedHashMap<>();
    speeds.put("big", 12_345.6);
    speeds.put("large", Double.NaN);
    SizeReport report =
        new SizeReport(
            settings, RnsPath.parse("/rns-load-1"), 5_000, speeds,
            List.of(
                series("first", 1_000, plain(1_000, 10), plain(1_100, 9)),
                series("last", 1_000, plain(2_000, 5), plain(1_900, 6))),
            series("alone", 1, plain(100, 500), plain(110, 490)),
            series("while listing", 1, plain(150, 400), plain(160, 390)), 17,
            series("small", 1, plain(100, 500), plain(110, 490)), series("large", 1, measured(200, 250)));
    assertPrinted("load-size.json", Json.pretty(SizeJson.of(report)));
  }

  private static DrillReport drill(List<Violation> violations, Optional<Path> kept) {
    DrillSettings settings =
        new DrillSettings(
            Path.of("rns"), 2, "mariadb", "source-replica", 500, 2, List.of(DrillFault.KILL_SERVER, DrillFault.CUT_OFF),
            SECOND, SECOND, SECOND, 1, Optional.empty());
    List<Struck> struck =
        List.of(
            new Struck(DrillFault.KILL_SERVER, 1, "server-1", 1_000.4, 20, 10, 9_000),
            new Struck(DrillFault.KILL_SERVER, 2, "server-2", 3_000, 40.6, 12, 8_000));
    Map<String, Long> seen = new LinkedHashMap<>();
    seen.put("session reads", 7L);
    seen.put("writes", 8L);
    Map<String, Double> lag = new LinkedHashMap<>();
    lag.put("p50", 1.0);
    lag.put("p99", 12.25);
    List<String> incomplete = kept.isPresent() ? List.of("no switchover") : List.of();
    Optional<WarmUp> warmUp =
        kept.isPresent() ? Optional.empty() : Optional.of(new WarmUp(34.56, 212.4, 180.5, true));
    return new DrillReport(settings, warmUp, struck, seen, lag, violations, incomplete, kept, kept);
  }

  @Test
  void ofADrill() throws IOException {
    assertPrinted("drill-passed.json", Json.pretty(DrillOutput.of(drill(List.of(), Optional.empty()))));
    List<Violation> violations = List.of(new Violation(Promise.NOTHING_LOST, "the write of /a"));
    assertPrinted("drill-failed.json", Json.pretty(DrillOutput.of(drill(violations, Optional.of(Path.of("kept"))))));
  }

  @Test
  void ofASimulation() throws IOException {
    Estimate estimate = new Estimate(0.75, 0.012345678);
    Cell cell = new Cell(Figure.named("5-raised").orElseThrow(), PolicyType.LEAST_USED, 333_333, 4);
    Measurements measurements =
        new Measurements(
            List.of(new Measured(cell, 2, estimate, estimate, estimate, new Estimate(0, 0), estimate)), 3);
    Verdict verdict = new Verdict("M1", "fast", "figure 3", "1", "0.9 ± 0.1", Verdict.Agreement.NOT_MEASURED);
    assertPrinted(
        "sim.json",
        Json.pretty(SimOutput.of(new Experiment(1, 2, 60, 15), measurements, List.of(verdict))));
  }

  @Test
  void ofAContest() throws IOException {
    List<Row> rows = List.of(Row.of("a").with("perSecond", 12.5).with("errors", 0), Row.of("b"));
    assertPrinted("bench.json", Bench.json("peers", new Contest.Report(rows, Map.of("a", "left out"))));
    assertPrinted("bench-without-notes.json", Bench.json("peers", new Contest.Report(rows, Map.of())));
  }
}
