package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.api.Positions;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServerHistoryTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final Positions AT = at(0, 1, 5);

  private final ServerHistory conduct = new ServerHistory();

  private static Positions at(int group, int epoch, long sequence) {
    return Positions.of(new Position(group, epoch, sequence));
  }

  @Test
  void theSlowestRoundTripCountsAndIsForgottenByHalfEveryFiveSeconds() {
    conduct.answered(0, 8 * MILLI, AT);
    conduct.answered(0, 2 * MILLI, AT);
    assertThat(conduct.at(0).roundTripNanos()).isEqualTo(8 * MILLI);
    assertThat(conduct.at(5 * SECOND).roundTripNanos()).isEqualTo(4 * MILLI);
    assertThat(conduct.at(10 * SECOND).roundTripNanos()).isEqualTo(2 * MILLI);
    conduct.answered(10 * SECOND, 3 * MILLI, AT);
    assertThat(conduct.at(10 * SECOND).roundTripNanos()).isEqualTo(3 * MILLI);
  }

  @Test
  void thePositionsAreTheLatestOfEachGroup() {
    conduct.answered(0, 1, AT);
    conduct.answered(0, 1, at(0, 1, 4));
    assertThat(conduct.at(0).positions()).isEqualTo(AT);
    conduct.answered(0, 1, at(0, 2, 3));
    assertThat(conduct.at(0).positions()).as("the epoch goes before the sequence").isEqualTo(at(0, 2, 3));
    conduct.answered(0, 1, at(9, 1, 1));
    assertThat(conduct.at(0).positions()).isEqualTo(at(0, 2, 3).with(at(9, 1, 1)));
  }

  @Test
  void callsUnderWayAreCounted() {
    conduct.begun();
    conduct.begun();
    conduct.ended();
    assertThat(conduct.at(0).inFlight()).isEqualTo(1);
  }

  @Test
  void eachFailureAfterARestDoublesTheNextOneUpToABound() {
    long now = 0;
    for (long rest : new long[]{1, 2, 4, 8, 16, 30, 30}) {
      conduct.failed(now, 0, bound -> bound / 2);
      assertThat(conduct.at(now).restMillis()).as("half of it and half of it by chance").isEqualTo(1_000 * rest);
      conduct.failed(now + 1, 0, bound -> bound / 2);
      assertThat(conduct.at(now).restMillis()).as("another call that was under way").isEqualTo(1_000 * rest);
      now += rest * SECOND;
      assertThat(conduct.at(now - 1).restMillis()).isEqualTo(1);
      assertThat(conduct.at(now).restMillis()).isZero();
      assertThat(conduct.at(now).failedMillis()).as("it has not answered yet").isEqualTo(1_000 * rest - 1);
    }
    conduct.answered(now, 1, AT);
    assertThat(conduct.at(now).failedMillis()).isNegative();
    conduct.failed(now, 0, bound -> 0);
    assertThat(conduct.at(now).restMillis()).as("begins anew").isEqualTo(500);
  }

  @Test
  void clientsThatFailedTogetherComeBackSpread() {
    Random random = new Random(3);
    long first = Long.MAX_VALUE;
    long last = 0;
    for (int client = 0; client < 500; client++) {
      ServerHistory own = new ServerHistory();
      own.failed(0, 0, bound -> (long) (random.nextDouble() * bound));
      long rest = own.at(0).restMillis();
      first = Math.min(first, rest);
      last = Math.max(last, rest);
    }
    assertThat(first).isBetween(500L, 520L);
    assertThat(last).isBetween(1_480L, 1_500L);
  }

  @Test
  void aBusyServerSaysHowLongItIsToBeLeftAlone() {
    conduct.failed(0, TimeUnit.MILLISECONDS.toNanos(40), bound -> bound - 1);
    assertThat(conduct.at(0).restMillis()).isEqualTo(80);
    conduct.failed(100 * MILLI, 0, bound -> 0);
    assertThat(conduct.at(100 * MILLI).restMillis()).as("that was not a failure to double").isEqualTo(500);
  }

  @Test
  void anAnswerToAWriteSaysThatItIsWellAndNothingOfTheTime() {
    conduct.failed(0, 0, bound -> 0);
    conduct.answered();
    assertThat(conduct.isFailing()).isFalse();
    assertThat(conduct.at(0).roundTripNanos()).isZero();
  }
}
