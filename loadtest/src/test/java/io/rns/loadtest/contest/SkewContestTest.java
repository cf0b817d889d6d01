package io.rns.loadtest.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.loadtest.contest.SkewContest.Measured;
import io.rns.loadtest.contest.SkewContest.Way;
import io.rns.loadtest.group.ServerGroup.AutomaticMove;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Second;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SkewContestTest {
  private static final Instant BEGAN = Instant.parse("2026-03-01T10:00:00Z");
  private static final SkewContest CONTEST =
      new SkewContest(0, 1, 2, Duration.ofSeconds(120), Duration.ofSeconds(1));

  private static Measurement run(int seconds, int perSecond) {
    Histogram latencies = Measurement.newHistogram();
    for (int i = 0; i < seconds * perSecond; i++) {
      Measurement.record(latencies, 1_000_000);
    }
    List<Second> each =
        IntStream.rangeClosed(1, seconds).mapToObj(at -> new Second(at, perSecond, 0, 1, 1, 1)).toList();
    return new Measurement(latencies, Map.of(), latencies.getTotalCount(), 0, each, new Failures(),
        Duration.ofSeconds(seconds), 0, Map.of());
  }

  private static Contest.Report report(List<AutomaticMove> moves) {
    return CONTEST.report(
        List.of(
            new Measured(Way.ONE_GROUP, List.of(run(60, 12), run(60, 12))),
            new Measured(Way.SPREAD, List.of(run(60, 16), run(60, 4))),
            new Measured(Way.AUTOMATIC, List.of(run(120, 10), run(120, 20)))),
        moves, "no");
  }

  private static AutomaticMove move(String path, int second) {
    return new AutomaticMove(path, BEGAN.plusSeconds(second));
  }

  private static Row row(Contest.Report report, String what) {
    return report.rows().stream().filter(row -> row.what().equals(what)).findFirst().orElseThrow();
  }

  @Test
  void comparesWithTheStaticMapThatIsSlowerOverAllPhases() {
    Contest.Report report = report(List.of());
    Row compared = row(report, "auto against the slower static map");
    assertThat(compared.figure("slower")).isEqualTo(10);
    assertThat(compared.figure("ratio")).isEqualTo(1.5);
    assertThat(row(report, "auto").figure("perSecond")).as("over all phases").isEqualTo(15);
    assertThat(report.notes().get("auto"))
        .isEqualTo("1.50 x 'static: spread over all groups', the slower static map; wanted is 1.40 x: reached");
  }

  @Test
  void drawsEachPhaseWhereItBelongs() {
    List<Row> points = report(List.of()).rows();
    assertThat(points.stream().filter(row -> row.what().equals("curve: auto")).map(row -> row.figure("at")))
        .hasSize(24).startsWith(10.0, 20.0).endsWith(230.0, 240.0);
    assertThat(points.stream().filter(row -> row.what().equals("curve: static: one group has all"))
        .map(row -> row.figure("at"))).containsExactly(10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 130.0, 140.0, 150.0, 160.0,
            170.0, 180.0);
  }

  @Test
  void countsWhatMovesThereAndBackWithinAPhase() {
    Contest.Report report = report(List.of(move("/a", 10), move("/b", 20), move("/b", 100), move("/a", 130)));
    assertThat(row(report, "auto").figure("moves")).isEqualTo(4);
    assertThat(row(report, "auto").figure("movedAgain")).isEqualTo(1);
    assertThat(report.notes().get("oscillation")).startsWith("1 of 4 moves").endsWith("missed");
    assertThat(report(List.of(move("/a", 10), move("/a", 130))).notes().get("oscillation")).endsWith("reached");
  }
}
