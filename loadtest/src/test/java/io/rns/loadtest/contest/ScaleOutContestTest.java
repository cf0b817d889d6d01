package io.rns.loadtest.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rns.error.RnsException;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ScaleOutContestTest {
  private static final List<String> SERVERS = List.of("server-2", "server-3");

  /** A run of a second. */
  private static Measurement run(int answered, double firstUsed, double secondUsed) {
    Histogram latencies = Measurement.newHistogram();
    for (int i = 0; i < answered; i++) {
      Measurement.record(latencies, 1_000_000);
    }
    return new Measurement(
        latencies, new Failures(), Duration.ofSeconds(1), 0,
        Map.of("server-2", seconds(firstUsed), "server-3", seconds(secondUsed)));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private static Series series(String name, Measurement... runs) {
    return new Series(new Workload(name, 1, List::of, Duration.ofSeconds(1)), List.of(runs));
  }

  private static Contest.Report report(Series first, Series both, Series second) {
    return ScaleOutContest.report(SERVERS, List.of(first, both, second), "as told");
  }

  private static Row row(Contest.Report report, String what) {
    return report.rows().stream().filter(row -> row.what().equals(what)).findFirst().orElseThrow();
  }

  @Test
  void comparesBothWithTheMeanOfEachAloneRoundByRound() {
    Contest.Report report =
        report(
            series("server-2 alone", run(100, 0.5, 0.4), run(200, 0.5, 0), run(100, 0.5, 0)),
            series("both", run(400, 0.5, 0.5), run(300, 0.5, 0.5), run(190, 0.5, 0.5)),
            series("server-3 alone", run(300, 0.3, 0.5), run(200, 0, 0.5), run(100, 0, 0.5)));
    assertThat(report.rows()).extracting(Row::what).containsExactly(
        "server-2 alone", "server-3 alone", "both", "both, round 1", "both, round 2", "both, round 3", "bar",
        "paper, one", "paper, two");
    assertThat(row(report, "both, round 1").figure("ratio")).isEqualTo(2);
    assertThat(row(report, "both, round 2").figure("ratio")).isEqualTo(1.5);
    assertThat(row(report, "both").figure("ratio")).as("the median").isEqualTo(1.9);
    assertThat(row(report, "both, round 1").figure("perProcessorRatio")).as("400 of a second against 200 and 600")
        .isEqualTo(1);
    assertThat(row(report, "both").figure("perProcessorRatio")).isEqualTo(0.95);
    assertThat(row(report, "server-2 alone").figure("perProcessorSecond")).as("only its own use counts")
        .isCloseTo(400 / 1.5, within(1e-6));
    assertThat(row(report, "both").figure("processors")).isEqualTo(1);
    assertThat(report.notes()).containsEntry("held", "as told").containsKey("not shown");
    assertThat(report.notes().get("throughput")).isEqualTo("1.90 x that of one server; wanted is 1.90 x: reached");
  }

  @Test
  void saysWhatMissesTheBars() {
    Contest.Report report =
        report(series("a", run(100, 0.5, 0)), series("both", run(180, 0.5, 0.5)), series("b", run(100, 0, 0.5)));
    assertThat(report.notes().get("throughput")).startsWith("1.80 x").endsWith("missed");
    assertThat(report.notes().get("per second of the servers' processor time")).startsWith("0.90 x").endsWith("missed");
  }

  @Test
  void isNoRatioOfNothing() {
    Series some = series("alone", run(10, 0.1, 0.1));
    assertThatThrownBy(() -> report(series("server-2 alone", run(0, 0, 0)), some, some))
        .isInstanceOf(RnsException.class)
        .hasMessageContaining("server-2 alone");
    assertThat(row(report(some, series("both", run(10, 0, 0)), some), "both").figure("perProcessorSecond"))
        .as("too little to be counted").isZero();
  }
}
