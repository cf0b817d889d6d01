package io.rns.loadtest.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FrontMigrationsTest {
  private static final long MILLI = 1_000_000;

  @Test
  void aSilenceIsTheLongestTimeBetweenTwoResponsesOfAnyClients() {
    Responses responses = new Responses();
    long begin = System.nanoTime();
    answer(responses, begin);
    Responses.Period unused = responses.next();
    assertThat(responses.next()).isEqualTo(new Responses.Period(0, 0, 0));
    for (long millis : List.of(1L, 21L, 22L, 30L)) {
      answer(responses, begin + millis * MILLI);
    }
    Responses.Period period = responses.next();
    assertThat(period.silenceMillis()).isEqualTo(20);
    assertThat(period.medianMillis()).isCloseTo(2, withinPercentage(0.1));
    assertThat(period.p99Millis()).isCloseTo(2, withinPercentage(0.1));
    answer(responses, begin + 33 * MILLI);
    assertThat(responses.next().silenceMillis()).isEqualTo(3);
    assertThat(responses.count()).isEqualTo(6);
  }

  private static void answer(Responses responses, long now) {
    responses.answered(now - 2 * MILLI, now);
  }

  @Test
  void ofFewerThanAHundredFiguresThe99thPercentileIsTheLargest() {
    assertThat(FrontMigrations.percentile(List.of(3.0, 9.0, 1.0), 99)).isEqualTo(9);
    List<Double> many = IntStream.rangeClosed(1, 200).mapToObj(i -> (double) i).toList();
    assertThat(FrontMigrations.percentile(many, 99)).isEqualTo(198);
  }
}
