package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.front.AnswerCacheHistory.Defect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever the cache answers is exactly what the tree was at the positions for which it vouches, and has all that was
 * acknowledged as long ago as the age that it names.
 */
class AnswerCacheHistoryTest {
  private static final int SEEDS = 65;

  private static AnswerCacheHistory run(int seed, Defect defect) {
    AnswerCacheHistory history = new AnswerCacheHistory(seed, defect);
    try {
      history.run();
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + " with " + defect + ": " + e.getMessage(), e);
    }
    return history;
  }

  @Test
  void answersAreTheTreeOfTheirPositions() {
    int below = 0;
    int handedOver = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      AnswerCacheHistory history = run(seed, Defect.NONE);
      assertThat(history.answered()).as("seed %d", seed).isPositive();
      below += history.answeredBelow();
      handedOver += history.handedOver();
    }
    assertThat(below).as("answers about what is below cuts").isGreaterThan(2_000);
    assertThat(handedOver).as("fronts that took answers over").isGreaterThan(50);
  }

  @ParameterizedTest
  @EnumSource(value = Defect.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aDefectIsFound(Defect defect) {
    assertThatThrownBy(() -> {
      for (int seed = 1; seed <= SEEDS; seed++) {
        run(seed, defect);
      }
    }).isInstanceOf(AssertionError.class).hasMessageContaining(defect.toString());
  }
}
