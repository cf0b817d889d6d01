package io.rns.loadtest.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.CallContext;
import io.rns.api.ListRequest;
import io.rns.api.Target;
import io.rns.client.TestServer;
import io.rns.loadtest.link.Delay;
import io.rns.loadtest.link.Link;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SiteContestTest {
  private static final Duration DELAY = Duration.ofMillis(16);
  private static final double ROUND_TRIP_MICROS = 32_000;

  @Test
  void theDistanceIsInWhatGoesOverIt() throws IOException, InterruptedException {
    try (TestServer server = TestServer.start();
        Link link = Link.open(0, server.address().getPort(), new Delay(DELAY, Duration.ZERO))) {
      URI distant = URI.create("http://127.0.0.1:" + link.port() + server.address().getPath());
      Schedule turn = new Schedule(Duration.ZERO, Duration.ofMillis(250));
      Contest.Report report =
          new SiteContest(DELAY, 2, 160, new Contest(1, Duration.ZERO, turn))
              .measure(new SiteContest.Sites(server.address(), server.address(), distant), progress -> {});
      List<Row> rows = report.rows();
      assertThat(rows).extracting(Row::what).containsExactly(
          "query: primary, beside it", "query: replica", "query: no replica", "session: replica",
          "session: replica reads, primary writes",
          "session: no replica", "query: 120 clients, mixed distances", "query: 120 clients at the replica",
          "add: 0 ms away", "add: 2 ms away", "add: 8 ms away", "add: 16 ms away", "add: at the replica", "bar");
      assertThat(rows.subList(0, 13)).allSatisfy(row -> assertThat(row.figure("errors")).isZero());
      assertThat(rows.get(2).figure("p50Micros")).isGreaterThan(ROUND_TRIP_MICROS * 0.99);
      assertThat(rows.get(5).figure("p50Micros")).isGreaterThan(ROUND_TRIP_MICROS * 0.99);
      double times = rows.get(0).figure("perSecond") / rows.get(1).figure("perSecond");
      assertThat(rows.get(1).figure("timesBeside")).isBetween(times * 0.999, times * 1.001);
      assertThat(rows.get(11).figure("p50Micros")).isGreaterThan(ROUND_TRIP_MICROS * 0.99);
      assertThat(rows.get(10).figure("p50Micros")).isBetween(ROUND_TRIP_MICROS * 0.49,
          rows.get(11).figure("p50Micros"));
      assertThat(rows.get(13).figure("sessionP99Micros")).isEqualTo(ROUND_TRIP_MICROS);
      assertThat(report.notes()).containsKeys("query at the replica", "session read at the replica", "distance");
      assertThat(server.service().list(CallContext.ANONYMOUS, ListRequest.of(Target.ROOT)).value().orThrow().entries())
          .isEmpty();
    }
  }
}
