package io.rns.client.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.pool.Distance;
import io.rns.pool.ElementExperience;
import io.rns.pool.Health;
import io.rns.pool.Parameters;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.Prospect;
import io.rns.pool.SelectionState;
import io.rns.pool.SharedExperience;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a user makes of the answers of one element. */
class KnownElementTest {
  private final KnownElement known = new KnownElement(selected(3), 1_000);

  private static Selected selected(long reportedMillis) {
    List<EndpointReference> endpoints = List.of(EndpointReference.ofAddress("http://p1.example/"));
    return new Selected(7, endpoints, SelectionState.fresh(Parameters.PLAIN, Distance.NONE, 0), reportedMillis,
        SharedExperience.NONE);
  }

  @Test
  void fewLongAnswersAmongShortOnesAreNoSignOfASlowElement() {
    known.answered(90, 1_000);
    assertThat(known.prospect(1_000).costMillis()).as("nothing else is known").isEqualTo(90);
    known.answered(2, 1_000);
    assertThat(known.prospect(1_000).costMillis()).isEqualTo(30);
    for (int i = 0; i < 100; i++) {
      known.answered(i % 10 == 0 ? 80 : 2, 1_000);
    }
    assertThat(known.prospect(1_000).costMillis()).isBetween(2.0, 3.0);
    for (int i = 0; i < 9; i++) {
      known.answered(80, 1_000);
    }
    assertThat(known.prospect(1_000).costMillis()).as("all of them are long now").isGreaterThan(70);
    known.answered(200, 32_000);
    assertThat(known.prospect(32_000).costMillis()).as("what was known is out of date").isEqualTo(200);
  }

  @Test
  void aRejectionIsNoCheapAnswer() {
    known.answered(200, 1_000);
    known.rejected(150, 1_000);
    assertThat(known.prospect(1_000).costMillis()).isEqualTo(200);
    known.rejected(300, 1_000);
    assertThat(known.prospect(1_000).costMillis()).isEqualTo(300);
  }

  @Test
  void theFirstFailureSinceItSaidSomethingIsToBeReported() {
    assertThat(List.of(known.failed(1), known.failed(2))).containsExactly(true, false);
    known.answered(1, 1_000);
    assertThat(List.of(known.failed(3), known.failed(4))).containsExactly(true, false);
    known.rejected(1, 1_000);
    assertThat(List.of(known.failed(5), known.failed(6))).containsExactly(true, false);
  }

  @Test
  void whatItHoldsIsKnownSinceTheLastResolution() {
    assertThat(known.prospect(1_000)).extracting(Prospect::reportedMillis, Prospect::knownSinceMillis)
        .containsExactly(1_000L, 1_000L);
    known.update(selected(10), 2_000);
    assertThat(known.prospect(1_000)).extracting(Prospect::reportedMillis, Prospect::knownSinceMillis)
        .containsExactly(2_000L, 1_000L);
  }

  @Test
  void whatItHoldsIsCounted() {
    known.began(5, 1_000);
    known.began(6, 1_000);
    known.ended(1_000);
    assertThat(known.prospect(1_000)).extracting(Prospect::inFlight, Prospect::sequence).containsExactly(1L, 6L);
  }

  private static Selected heard(long millis, long failingMillis) {
    return selected(0).with(new SharedExperience(millis, failingMillis));
  }

  @Test
  void whatOthersMetCountsUntilItHasAnswered() {
    KnownElement heard = new KnownElement(heard(300, 0), 1_000);
    assertThat(heard.prospect(1_000).costMillis()).isEqualTo(300);
    heard.answered(20, 1_000);
    assertThat(heard.prospect(1_000).costMillis()).isEqualTo(20);
    heard.update(heard(39, 0), 2_000);
    assertThat(heard.prospect(1_000).costMillis()).as("little slower for others").isEqualTo(20);
    heard.update(heard(300, 0), 3_000);
    assertThat(heard.prospect(1_000).costMillis()).as("others met it later").isEqualTo(300);
    heard.answered(20, 1_000);
    assertThat(heard.prospect(1_000).costMillis()).isEqualTo(20);
  }

  @Test
  void whatFailsForOthersIsOutUntilItAnswersHere() {
    KnownElement heard = new KnownElement(heard(0, 5_000), 1_000);
    assertThat(heard.prospect(1_000).health()).isEqualTo(Health.outUntil(6_000));
    heard.answered(20, 1_000);
    assertThat(heard.prospect(1_000).health()).isEqualTo(Health.GOOD);
    assertThat(heard.isNews()).as("that it answers").isTrue();
    assertThat(heard.tell()).isEqualTo(ElementExperience.answered(7, 20));
    assertThat(heard.isNews()).isFalse();
    assertThat(heard.failed(2_000)).isTrue();
    heard.update(heard(0, 50_000), 3_000);
    assertThat(heard.prospect(1_000).health().outUntilMillis()).as("its own failure").isEqualTo(12_000);
  }

  @Test
  void onlyAResponseTimeFarFromTheKnownOneIsNews() {
    KnownElement heard = new KnownElement(heard(100, 0), 1_000);
    assertThat(heard.isNews()).isFalse();
    heard.answered(60, 1_000);
    assertThat(heard.isNews()).isFalse();
    heard.answered(201, 1_000);
    heard.answered(201, 1_000);
    assertThat(heard.isNews()).isFalse();
    heard.answered(201, 1_000);
    assertThat(heard.isNews()).isTrue();
    assertThat(heard.tell()).isEqualTo(ElementExperience.answered(7, 201));
    assertThat(heard.isNews()).isFalse();
  }

  @Test
  void anAnswerThatIsMissingIsNewsBeforeItComes() {
    assertThat(known.watch(1_000)).isTrue();
    known.began(1, 1_000);
    assertThat(known.watch(1_010)).as("a second request").isFalse();
    assertThat(known.isNews()).isFalse();
    assertThat(known.silence(1_060)).isEqualTo(60);
    assertThat(known.isNews()).isTrue();
    assertThat(known.tell()).isEqualTo(ElementExperience.answered(7, 60));
    assertThat(known.isNews()).isFalse();
    assertThat(known.silence(1_181)).isEqualTo(181);
    assertThat(known.isNews()).isTrue();
    known.ended(1_200);
    known.answered(200, 1_200);
    assertThat(known.silence(1_300)).as("it has answered").isZero();
    assertThat(known.watch(1_300)).as("its cost is known").isFalse();
    assertThat(known.watch(31_201)).as("it no longer is").isTrue();
    assertThat(known.silence(31_301)).as("it holds no request").isZero();
  }

  /** A request that has just begun is no sign of silence, however long others have been awaited before. */
  @Test
  void anAnswerToAnyRequestEndsTheSilence() {
    assertThat(known.watch(1_000)).isTrue();
    known.began(1, 1_000);
    known.began(2, 1_000);
    known.ended(1_050);
    assertThat(known.silence(1_060)).as("the call that ended said nothing of the element").isEqualTo(10);
  }

  @Test
  void anAnswerWithoutMeasurableTimeIsToldOnce() {
    known.answered(0, 1_000);
    assertThat(known.isNews()).isTrue();
    assertThat(known.tell()).isEqualTo(ElementExperience.answered(7, 1));
    known.answered(0, 1_000);
    assertThat(known.isNews()).isFalse();
  }
}
