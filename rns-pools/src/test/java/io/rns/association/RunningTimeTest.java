package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The registrar's own time advances while it runs, and does not jump. */
class RunningTimeTest {
  private static final long HOUR = 3_600_000;

  @ParameterizedTest
  @ValueSource(longs = {0, 5_000, -5_000, Long.MIN_VALUE / 2})
  void followsTheClock(long begin) {
    AtomicLong clock = new AtomicLong(begin);
    RunningTime time = new RunningTime(clock::get);
    assertThat(time.millis()).isEqualTo(begin);
    time.due(begin + 2_000);
    clock.addAndGet(700);
    assertThat(time.millis()).isEqualTo(begin + 700);
    clock.addAndGet(1_300 + RunningTime.LATE_MILLIS);
    assertThat(time.millis()).as("late, as on a busy machine").isEqualTo(begin + 2_000 + RunningTime.LATE_MILLIS);
    time.due(Long.MAX_VALUE);
    clock.addAndGet(HOUR);
    assertThat(time.millis()).as("nothing was due").isEqualTo(begin + 2_000 + RunningTime.LATE_MILLIS + HOUR);
  }

  @Test
  void aPauseCountsAsHalfTheTimeToTheNextTimer() {
    AtomicLong clock = new AtomicLong(100);
    RunningTime time = new RunningTime(clock::get);
    time.due(2_100);
    clock.addAndGet(2_001 + RunningTime.LATE_MILLIS);
    assertThat(time.millis()).isEqualTo(1_100);
    clock.addAndGet(50);
    assertThat(time.millis()).isEqualTo(1_150);
    clock.addAndGet(HOUR);
    assertThat(time.millis()).isEqualTo(1_625);
  }

  /** Otherwise time would stand still on a machine that is always late. */
  @Test
  void afterManyPausesTimersRun() {
    AtomicLong clock = new AtomicLong(0);
    RunningTime time = new RunningTime(clock::get);
    time.due(1_000);
    int pauses = 0;
    while (time.millis() < 1_000) {
      assertThat(pauses++).isLessThan(20);
      clock.addAndGet(HOUR);
    }
    assertThat(time.millis()).isEqualTo(1_000);
    assertThat(pauses).isGreaterThan(5);
  }

  /** An overdue timer adds no time of its own. */
  @Test
  void overdueTimersAreDueNow() {
    AtomicLong clock = new AtomicLong(10_000);
    RunningTime time = new RunningTime(clock::get);
    time.due(1_000);
    clock.addAndGet(RunningTime.LATE_MILLIS);
    assertThat(time.millis()).isEqualTo(10_000 + RunningTime.LATE_MILLIS);
    clock.addAndGet(RunningTime.LATE_MILLIS + 1);
    assertThat(time.millis()).isEqualTo(10_000 + RunningTime.LATE_MILLIS);
  }

  @Test
  void aClockSetBackStopsNothing() {
    AtomicLong clock = new AtomicLong(HOUR);
    RunningTime time = new RunningTime(clock::get);
    time.due(HOUR + 10);
    clock.set(0);
    assertThat(time.millis()).isEqualTo(HOUR);
    clock.addAndGet(7);
    assertThat(time.millis()).isEqualTo(HOUR + 7);
  }
}
