package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.Second;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TeamMemberTest {
  private static Measurement measured(long micros, long count) {
    Histogram latencies = Measurement.newHistogram();
    latencies.recordValueWithCount(micros * 1_000, count);
    Failures failures = new Failures();
    failures.add(FailureKind.TIMEOUT, "late");
    failures.add(FailureKind.FAULT, "refused");
    Second second = new Second(1, count, 2, micros, micros + 1, micros + 2);
    Map<String, Duration> used = Map.of(Processors.GENERATOR, Duration.ofMillis(7), "server", Duration.ofMillis(9));
    return new Measurement(latencies, Map.of("query", latencies), count - 1, 3, List.of(second), failures,
        Duration.ofSeconds(2), 4, used);
  }

  private static Measurement sent(Measurement measured) throws IOException {
    return Json.MAPPER.readValue(Json.line(TeamMember.Report.Run.of(measured)), TeamMember.Report.Run.class)
        .measurement();
  }

  @Test
  void nothingIsLostFromOneProcessToAnother() throws IOException {
    Measurement measured = measured(100, 50);
    Measurement read = sent(measured);
    assertThat(read.latencies()).isEqualTo(measured.latencies());
    assertThat(read.operations()).isEqualTo(measured.operations());
    assertThat(read.seconds()).isEqualTo(measured.seconds());
    assertThat(read.notStarted()).isEqualTo(measured.notStarted());
    assertThat(read.failures().counts()).isEqualTo(measured.failures().counts());
    assertThat(read.failures().first()).isEqualTo(measured.failures().first());
    assertThat(read.measured()).isEqualTo(measured.measured());
    assertThat(read.reconnects()).isEqualTo(4);
    assertThat(read.used()).isEqualTo(measured.used());
  }

  @Test
  void runsAtTheSameTimeAddUp() throws IOException {
    Measurement both = Measurement.simultaneous(List.of(sent(measured(100, 50)), sent(measured(300, 150))));
    assertThat(both.completed()).isEqualTo(198);
    assertThat(both.throughput()).isEqualTo(99, within(1e-9));
    assertThat(both.micros(20)).isEqualTo(100, within(0.2));
    assertThat(both.micros(50)).isEqualTo(300, within(0.5));
    assertThat(both.failures().total()).isEqualTo(4);
    assertThat(both.reconnects()).isEqualTo(8);
    assertThat(both.notStarted()).isEqualTo(6);
    assertThat(both.operations().get("query").getTotalCount()).isEqualTo(200);
    assertThat(both.seconds()).containsExactly(new Second(1, 200, 4, 300, 301, 302));
    assertThat(both.used())
        .isEqualTo(Map.of(Processors.GENERATOR, Duration.ofMillis(14), "server", Duration.ofMillis(9)));
  }

  @Test
  void aMemberWaitsForTheOthersAndStopsWhenNobodyIsThere() {
    StringWriter out = new StringWriter();
    ByteArrayInputStream in = new ByteArrayInputStream("go\n".getBytes(StandardCharsets.UTF_8));
    TeamMember member = new TeamMember(in, new PrintWriter(out));
    member.awaitBegin();
    assertThat(Thread.interrupted()).isFalse();
    member.awaitBegin();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(out.toString().lines()).containsExactly("ready", "ready");
  }
}
