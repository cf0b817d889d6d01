package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When a primary counts as silent. */
class LeaderWatchTest {
  private static final Instant BEAT = Instant.parse("2026-01-01T00:00:00Z");

  private final LeaderWatch watch = new LeaderWatch(seconds(100));

  private static long seconds(long count) {
    return Duration.ofSeconds(count).toNanos();
  }

  @Test
  void silenceIsCountedFromTheBeginning() {
    assertThat(watch.listen(false, Instant.EPOCH, seconds(103))).isEqualTo(Duration.ofSeconds(3));
    assertThat(watch.listen(false, Instant.EPOCH, seconds(104))).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void aServerThatSaysItLeadsEndsIt() {
    assertThat(watch.listen(true, Instant.EPOCH, seconds(103))).isZero();
    assertThat(watch.listen(false, Instant.EPOCH, seconds(105))).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void beatsEndItThoughNoServerIsReached() {
    assertThat(watch.listen(false, BEAT, seconds(103))).isZero();
    assertThat(watch.listen(false, BEAT, seconds(104))).isEqualTo(Duration.ofSeconds(1));
    assertThat(watch.listen(false, BEAT.plusMillis(250), seconds(105))).isZero();
  }
}
