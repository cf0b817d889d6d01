package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.pool.ElementExperience;
import io.rns.pool.SharedExperience;
import org.junit.jupiter.api.Test;

class ExperienceMemoryTest {
  private static final long HOST = 77;
  private static final long OTHER = 78;

  private final ExperienceMemory memory = new ExperienceMemory();

  private void answered(long host, long millis, long now) {
    memory.add(ElementExperience.answered(1, millis), host, now);
  }

  private void failed(long host, long now) {
    memory.add(ElementExperience.failed(1), host, now);
  }

  private SharedExperience shared(long now) {
    return memory.shared(OTHER, now);
  }

  @Test
  void aRiseIsFollowedFasterThanAFall() {
    assertThat(shared(0)).isEqualTo(SharedExperience.NONE);
    answered(HOST, 100, 0);
    assertThat(shared(0)).isEqualTo(new SharedExperience(100, 0));
    answered(HOST, 300, 0);
    assertThat(shared(0).millis()).isEqualTo(200);
    answered(HOST, 100, 0);
    assertThat(shared(0).millis()).isEqualTo(180);
  }

  @Test
  void whatIsOldIsForgotten() {
    answered(HOST, 100, 0);
    assertThat(shared(29_999).millis()).isEqualTo(100);
    assertThat(shared(30_000)).isEqualTo(SharedExperience.NONE);
    answered(OTHER, 7, 30_000);
    assertThat(shared(30_000).millis()).as("not mixed with what was forgotten").isEqualTo(7);
  }

  @Test
  void aFailureCountsForAWhileOrUntilAnAnswer() {
    failed(HOST, 1_000);
    assertThat(shared(3_000)).isEqualTo(new SharedExperience(0, 8_000));
    assertThat(shared(11_000)).isEqualTo(SharedExperience.NONE);
    failed(OTHER, 20_000);
    answered(OTHER, 0, 20_001);
    assertThat(shared(20_001)).as("an answer that took no time is one").isEqualTo(new SharedExperience(1, 0));
  }

  /** The host repeats itself as often as it likes. */
  @Test
  void aHostThatNobodyConfirmsIsNotBelievedForLong() {
    for (long now = 0; now < 300_000; now += 1_000) {
      failed(HOST, now);
      assertThat(shared(now).failingMillis() > 0).as("failing at " + now).isEqualTo(now < 10_000);
      assertThat(memory.shared(HOST, now).failingMillis()).as("for its own users at " + now).isEqualTo(10_000);
    }
    failed(HOST, 300_000);
    assertThat(shared(300_000).failingMillis()).as("after five minutes").isEqualTo(10_000);
    for (long now = 400_000; now < 700_000; now += 1_000) {
      answered(HOST, 3_600_000, now);
      assertThat(shared(now).millis() > 0).as("slow at " + now).isEqualTo(now < 430_000);
      assertThat(memory.shared(HOST, now).millis()).as("for its own users at " + now).isEqualTo(3_600_000);
    }
  }

  @Test
  void ofSeveralHostsTheLowerMedianCounts() {
    answered(1, 3_000_000, 0);
    answered(2, 20, 0);
    assertThat(shared(0).millis()).as("one of two cannot make it slow").isEqualTo(20);
    answered(3, 300, 0);
    assertThat(shared(0).millis()).isEqualTo(300);
    answered(4, 10, 0);
    answered(5, 30, 0);
    assertThat(shared(0).millis()).isEqualTo(30);
    failed(1, 1);
    failed(2, 1);
    assertThat(shared(1)).as("two of five").isEqualTo(new SharedExperience(30, 0));
    failed(3, 1);
    assertThat(shared(1).failingMillis()).as("three of five").isEqualTo(10_000);
    answered(2, 20, 2);
    assertThat(shared(2).failingMillis()).isZero();
  }

  /** An element that breaks has answered before, long ago. */
  @Test
  void onlyReportsOfTheSameTimeRefuteAFailure() {
    for (long host = 1; host <= 4; host++) {
      answered(host, 20, 0);
    }
    failed(HOST, 9_999);
    assertThat(shared(9_999).failingMillis()).isZero();
    assertThat(shared(10_000).failingMillis()).isEqualTo(9_999);
  }

  @Test
  void onlyTheLastHostsAreRemembered() {
    for (long host = 1; host <= 1_000; host++) {
      answered(host, host, 0);
      if (host > 2) {
        answered(1, 1, 1);
        answered(2, 2, 1);
      }
    }
    assertThat(shared(1).millis()).as("of 1, 2, 998, 999, 1000").isEqualTo(998);
  }
}
