package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.pool.ElementExperience;
import io.rns.pool.SharedExperience;
import org.junit.jupiter.api.Test;

class ExperienceMemoryTest {
  private final ExperienceMemory memory = new ExperienceMemory();

  @Test
  void aRiseIsFollowedFasterThanAFall() {
    assertThat(memory.shared(0)).isEqualTo(SharedExperience.NONE);
    memory.add(ElementExperience.answered(1, 100), 0);
    assertThat(memory.shared(0)).isEqualTo(new SharedExperience(100, 0));
    memory.add(ElementExperience.answered(1, 300), 0);
    assertThat(memory.shared(0).millis()).isEqualTo(200);
    memory.add(ElementExperience.answered(1, 100), 0);
    assertThat(memory.shared(0).millis()).isEqualTo(180);
  }

  @Test
  void whatIsOldIsForgotten() {
    memory.add(ElementExperience.answered(1, 100), 0);
    assertThat(memory.shared(29_999).millis()).isEqualTo(100);
    assertThat(memory.shared(30_000)).isEqualTo(SharedExperience.NONE);
    memory.add(ElementExperience.answered(1, 7), 30_000);
    assertThat(memory.shared(30_000).millis()).as("not mixed with what was forgotten").isEqualTo(7);
  }

  @Test
  void aFailureCountsForAWhileOrUntilAnAnswer() {
    memory.add(ElementExperience.failed(1), 1_000);
    assertThat(memory.shared(3_000)).isEqualTo(new SharedExperience(0, 8_000));
    assertThat(memory.shared(11_000)).isEqualTo(SharedExperience.NONE);
    memory.add(ElementExperience.failed(1), 20_000);
    memory.add(ElementExperience.answered(1, 0), 20_001);
    assertThat(memory.shared(20_001)).as("an answer that took no time is one").isEqualTo(new SharedExperience(1, 0));
  }
}
