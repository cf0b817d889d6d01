package io.rns.client.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.pool.Distance;
import io.rns.pool.Parameters;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.Prospect;
import io.rns.pool.SelectionState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a user makes of the answers of one element. */
class KnownElementTest {
  private final KnownElement known = new KnownElement(selected(3), 1_000);

  private static Selected selected(long reportedMillis) {
    List<EndpointReference> endpoints = List.of(EndpointReference.ofAddress("http://p1.example/"));
    return new Selected(7, endpoints, SelectionState.fresh(Parameters.PLAIN, Distance.NONE, 0), reportedMillis);
  }

  @Test
  void anExpensiveAnswerCountsAtOnceAndFadesSlowly() {
    known.answered(100);
    assertThat(known.prospect().costMillis()).isEqualTo(100);
    known.answered(0);
    assertThat(known.prospect().costMillis()).isEqualTo(80);
    known.answered(200);
    assertThat(known.prospect().costMillis()).isEqualTo(200);
    known.rejected(150);
    assertThat(known.prospect().costMillis()).isEqualTo(200);
    known.rejected(300);
    assertThat(known.prospect().costMillis()).isEqualTo(300);
  }

  @Test
  void theFirstFailureSinceItSaidSomethingIsToBeReported() {
    assertThat(List.of(known.failed(1), known.failed(2))).containsExactly(true, false);
    known.answered(1);
    assertThat(List.of(known.failed(3), known.failed(4))).containsExactly(true, false);
    known.rejected(1);
    assertThat(List.of(known.failed(5), known.failed(6))).containsExactly(true, false);
  }

  @Test
  void aNewResolutionTellsHowOldItsReportIs() {
    assertThat(known.prospect()).extracting(Prospect::reportedMillis, Prospect::knownSinceMillis).containsExactly(997L,
        1_000L);
    known.update(selected(10), 2_000);
    assertThat(known.prospect()).extracting(Prospect::reportedMillis, Prospect::knownSinceMillis)
        .containsExactly(1_990L, 1_000L);
  }

  @Test
  void whatItHoldsIsCounted() {
    known.began(5);
    known.began(6);
    known.ended();
    assertThat(known.prospect()).extracting(Prospect::inFlight, Prospect::sequence).containsExactly(1L, 6L);
  }
}
