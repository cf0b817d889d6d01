package io.rns.loadtest.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.loadtest.contest.FrontContest.Silence;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FrontContestTest {
  @Test
  void aSilenceIsTheLongestTimeBetweenTwoResponsesOfAnyClients() {
    Silence silence = new Silence();
    long begin = System.nanoTime();
    silence.answered(begin);
    silence.begin();
    assertThat(silence.longestMillis()).isZero();
    for (long millis : List.of(1L, 21L, 22L, 30L)) {
      silence.answered(begin + millis * 1_000_000);
    }
    assertThat(silence.longestMillis()).isEqualTo(20);
    silence.begin();
    silence.answered(begin + 33_000_000);
    assertThat(silence.longestMillis()).isEqualTo(3);
  }

  @Test
  void ofFewerThanAHundredFiguresThe99thPercentileIsTheLargest() {
    assertThat(FrontContest.percentile(List.of(3.0, 9.0, 1.0), 99)).isEqualTo(9);
    List<Double> many = IntStream.rangeClosed(1, 200).mapToObj(i -> (double) i).toList();
    assertThat(FrontContest.percentile(many, 99)).isEqualTo(198);
  }
}
