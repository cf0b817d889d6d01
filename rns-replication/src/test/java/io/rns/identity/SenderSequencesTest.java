package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.identity.SenderSequences.Outcome;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SenderSequencesTest {
  private static final int WINDOW = SenderSequences.WINDOW;

  private final SenderSequences sequences = new SenderSequences(1_000);

  private Outcome take(long number) {
    return sequences.take(7, number, 0);
  }

  @Test
  void eachNumberIsTakenOnceInAnyOrder() {
    Random random = new Random(1);
    BitSet taken = new BitSet();
    for (int i = 0; i < 200_000; i++) {
      int number = 1 + random.nextInt(100_000);
      assertThat(take(number)).isEqualTo(taken.get(number) ? Outcome.KNOWN : Outcome.NEW);
      taken.set(number);
    }
  }

  @Test
  void numbersBeforeTheWindowAreLate() {
    assertThat(take(1)).isEqualTo(Outcome.NEW);
    assertThat(take(WINDOW)).isEqualTo(Outcome.NEW);
    assertThat(take(1)).isEqualTo(Outcome.KNOWN);
    assertThat(take(2)).isEqualTo(Outcome.NEW);
    assertThat(take(WINDOW + 1)).isEqualTo(Outcome.NEW);
    assertThat(take(1)).isEqualTo(Outcome.LATE);
    assertThat(take(2)).isEqualTo(Outcome.KNOWN);
    assertThat(take(3)).isEqualTo(Outcome.NEW);
    assertThat(take(4L * WINDOW)).isEqualTo(Outcome.NEW);
    assertThat(take(3L * WINDOW)).isEqualTo(Outcome.LATE);
    assertThat(take(3L * WINDOW + 1)).isEqualTo(Outcome.NEW);
    assertThat(take(3L * WINDOW + 2)).isEqualTo(Outcome.NEW);
    assertThat(take(3L * WINDOW + 2)).isEqualTo(Outcome.KNOWN);
  }

  @Test
  void sendersAreForgottenWhenTheyAreOldAndOthersCome() {
    for (int sender = 0; sender < SenderSequences.MOST_SENDERS; sender++) {
      assertThat(sequences.take(sender, 1, 0)).isEqualTo(Outcome.NEW);
    }
    assertThat(sequences.take(0, 2, 500)).isEqualTo(Outcome.NEW);
    assertThat(sequences.take(-1, 1, 1_000)).isEqualTo(Outcome.FULL);
    assertThat(sequences.take(1, 1, 1_000)).isEqualTo(Outcome.KNOWN);
    assertThat(sequences.take(-1, 1, 1_001)).isEqualTo(Outcome.NEW);
    assertThat(sequences.take(0, 2, 1_001)).as("of one that is not old").isEqualTo(Outcome.KNOWN);
    assertThat(sequences.take(1, 1, 1_001)).as("of one that is not old").isEqualTo(Outcome.KNOWN);
  }
}
