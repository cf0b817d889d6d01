package io.rns.replication.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Histories of moves between groups: {@code -Drns.test.histories} of them, from {@code -Drns.test.firstSeed} on. */
class MoveHistoryTest {
  private static final int HISTORIES = Integer.getInteger("rns.test.histories", 2_000);
  private static final long FIRST = Long.getLong("rns.test.firstSeed", 1);

  @Test
  void anEntryIsInOnePlaceWhateverFails() {
    long moved = 0;
    long refused = 0;
    for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      MoveHistory history = run(seed, Defect.NONE);
      moved += history.moved();
      refused += history.refused();
    }
    assertThat(moved).as("moves").isGreaterThan(HISTORIES);
    assertThat(refused).as("refused ones").isGreaterThan(HISTORIES / 2);
  }

  private static MoveHistory run(long seed, Defect defect) {
    try {
      return new MoveHistory(seed, defect).run();
    } catch (IllegalStateException e) {
      throw new AssertionError("seed " + seed + " with " + defect + ": " + e.getMessage(), e);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Defect.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aProtocolWithADefectIsFound(Defect defect) {
    assertThatThrownBy(
        () -> {
          for (long seed = 1; seed <= 50_000; seed++) {
            new MoveHistory(seed, defect).run();
          }
        }).isInstanceOf(IllegalStateException.class);
  }
}
