package io.rns.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.RandomCases;
import io.rns.xml.XmlBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timestamps are parsed and printed as by {@link Instant}. */
class TimestampsTest {
  private static final long YEAR_0 = -62_167_219_200L;
  private static final long YEAR_10000 = 253_402_300_800L;

  private static String written(Instant time) {
    XmlBuffer out = new XmlBuffer(64);
    Timestamps.write(out, time);
    return out.toString();
  }

  @Test
  void anyTimeHasTheStandardForm() {
    RandomCases.check(
        random -> {
          long second = RandomCases.between(random, YEAR_0 - 5, YEAR_10000 + 5);
          long unit = RandomCases.one(random, List.of(1L, 1_000L, 1_000_000L, 1_000_000_000L));
          Instant time = Instant.ofEpochSecond(second, random.nextLong(1_000_000_000L) / unit * unit);
          assertThat(written(time)).isEqualTo(time.toString());
          assertThat(Timestamps.parse(written(time))).isEqualTo(time);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "2026-11-21T23:59:59Z",
      "2026-11-21T23:59:59.1Z",
      "2026-11-21T23:59:59.000000001Z",
      "2024-02-29T00:00:00.12Z",
      "2026-11-21T24:00:00Z",
      "2026-11-21T23:59:60Z",
      "2026-11-21T23:59:59+01:00",
      "+12026-11-21T23:59:59Z",
      "2026-11-21t23:59:59z",
  })
  void unusualFormsAreParsedAsByInstant(String text) {
    assertThat(Timestamps.parse(text)).isEqualTo(Instant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "",
      "Z",
      "2026-11-21",
      "2026-11-21T23:59:59",
      "2026-11-21T23:59:59.1234567890Z",
      "2026-13-21T23:59:59Z",
      "2026-02-29T23:59:59Z",
      "2026-11-21T25:59:59Z",
      "2026-11-21T23:60:59Z",
      "2026-11-21T23:59:61Z",
      "2026-11-2\u0661T23:59:59Z",
      "2026/11/21T23:59:59Z",
  })
  void malformedTimesAreRejected(String text) {
    assertThatThrownBy(() -> Timestamps.parse(text)).isInstanceOf(DateTimeException.class);
  }
}
