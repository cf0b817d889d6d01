package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When a primary counts as silent. */
class LeaderWatchTest {
  private static final Instant BEAT = Instant.parse("2026-01-01T00:00:00Z");

  private static final OptionalLong NOBODY = OptionalLong.empty();

  private static final long QUARTER = Duration.ofMillis(250).toNanos();

  private final LeaderWatch watch = new LeaderWatch(seconds(100));
  private long turn = seconds(100);

  /** Listens after as many turns as belong to the time since the last one. */
  private Duration listen(OptionalLong heard, Instant lastBeat, long arrived, boolean ended, long now) {
    for (; turn <= now; turn += QUARTER) {
      watch.turn(turn);
    }
    heard.ifPresent(watch::hear);
    return watch.listen(lastBeat, arrived, ended, now);
  }

  private static long seconds(long count) {
    return Duration.ofSeconds(count).toNanos();
  }

  @Test
  void silenceIsCountedFromTheBeginning() {
    assertThat(listen(NOBODY, Instant.EPOCH, seconds(103), false, seconds(103))).isEqualTo(Duration.ofSeconds(3));
    assertThat(listen(NOBODY, Instant.EPOCH, seconds(104), false, seconds(104))).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void aServerThatSaysItLeadsEndsIt() {
    assertThat(listen(OptionalLong.of(seconds(103)), Instant.EPOCH, seconds(103), false, seconds(103))).isZero();
    assertThat(listen(NOBODY, Instant.EPOCH, seconds(105), false, seconds(105))).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void beatsEndItThoughNoServerIsReached() {
    assertThat(listen(NOBODY, BEAT, seconds(103), false, seconds(103))).isZero();
    assertThat(listen(NOBODY, BEAT, seconds(104), false, seconds(104))).isEqualTo(Duration.ofSeconds(1));
    assertThat(listen(NOBODY, BEAT.plusMillis(250), seconds(105), false, seconds(105))).isZero();
  }

  /** An answer proves that a primary was there when it was asked, not that it is there now. */
  @Test
  void anOldAnswerDoesNotEndIt() {
    assertThat(listen(OptionalLong.of(seconds(102)), Instant.EPOCH, seconds(105), false, seconds(105)))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(listen(OptionalLong.of(seconds(99)), Instant.EPOCH, seconds(106), false, seconds(106)))
        .isEqualTo(Duration.ofSeconds(4));
  }

  /**
   * A replica that had fallen behind heard a killed primary for as long as it took to apply what had arrived before.
   */
  @Test
  void beatsThatArrivedLongAgoDoNotEndIt() {
    assertThat(listen(NOBODY, BEAT, seconds(103), false, seconds(103))).isZero();
    assertThat(listen(NOBODY, BEAT.plusMillis(250), seconds(103), false, seconds(105)))
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(listen(NOBODY, BEAT.plusMillis(500), seconds(103), false, seconds(106)))
        .isEqualTo(Duration.ofSeconds(3));
  }

  /** The arrival is seen by another look than the beat, which may be the next one. */
  @Test
  void anArrivalThatIsSeenAfterItsBeatEndsIt() {
    assertThat(listen(NOBODY, BEAT, seconds(100), false, seconds(103))).isEqualTo(Duration.ofSeconds(3));
    assertThat(listen(NOBODY, BEAT, seconds(104), false, seconds(104))).isEqualTo(Duration.ofSeconds(1));
  }

  /** A killed primary was heard for 6 s: its database went on sending to a replica that was behind. */
  @Test
  void whatAProcessThatHasEndedLeftBehindDoesNotEndIt() {
    assertThat(listen(NOBODY, BEAT, seconds(103), false, seconds(103))).isZero();
    assertThat(listen(NOBODY, BEAT.plusMillis(250), seconds(104), true, seconds(104)))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(listen(OptionalLong.of(seconds(105)), BEAT.plusMillis(500), seconds(105), true, seconds(105)))
        .as("another one leads").isZero();
  }

  /** A machine stood still for seconds; then two of three members found the third silent, and replaced it. */
  @Test
  void theTimeInWhichThisServerStoodStillIsNoSilence() {
    assertThat(listen(NOBODY, BEAT, seconds(103), false, seconds(103))).isZero();
    assertThat(watch.silence(seconds(106))).as("before its next turn").isEqualTo(LeaderWatch.LATE);
    turn = seconds(106);
    assertThat(listen(NOBODY, BEAT, seconds(103), false, seconds(106))).isEqualTo(LeaderWatch.LATE);
    assertThat(listen(NOBODY, BEAT, seconds(103), false, seconds(107)))
        .isEqualTo(LeaderWatch.LATE.plusSeconds(1));
  }
}
