package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UpkeepPaceTest {
  private static final Duration GAP = Duration.ofMillis(2);
  private static final Duration STEP = Duration.ofMillis(10);

  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos(); // overflows on the way
  private final UpkeepPace pace = new UpkeepPace(() -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  /** Takes steps whenever that is allowed while clients write without pause; returns how many there were. */
  private int steps(Duration time, int clients) {
    int steps = 0;
    long until = nanos + time.toNanos();
    while (nanos - until < 0) {
      pass(GAP);
      pace.noteRequests(clients, clients);
      if (pace.allowsStep()) {
        pass(STEP);
        pace.noteStep();
        steps++;
      }
    }
    return steps;
  }

  @Test
  void aWriterWithoutRequestsTakesStepsAtOnce() {
    assertThat(pace.allowsStep()).isTrue();
    assertThat(pace.pauseMillis()).isEqualTo(1);
    pace.noteStep();
    assertThat(pace.allowsStep()).isTrue();
  }

  @Test
  void itIsIdleAgainWhenNoRequestHasComeForAWhile() {
    pace.noteStep();
    pace.noteRequests(1, 1);
    assertThat(pace.pauseMillis()).isEqualTo(UpkeepPace.QUIET.toMillis() + 1);
    pass(UpkeepPace.QUIET.minusNanos(1));
    assertThat(pace.allowsStep()).isFalse();
    pass(Duration.ofNanos(1));
    assertThat(pace.allowsStep()).isTrue();
    assertThat(pace.pauseMillis()).isEqualTo(1);
  }

  @Test
  void callsWithoutRequestsDoNotPostponeIt() {
    pace.noteStep();
    pace.noteRequests(1, 1);
    pass(UpkeepPace.QUIET);
    pace.noteRequests(0, 0);
    assertThat(pace.allowsStep()).isTrue();
  }

  @Test
  void aClientThatWritesAloneMeetsFewSteps() {
    Duration time = Duration.ofMinutes(1);
    int steps = steps(time, 1);
    long requests = time.toMillis() / GAP.toMillis();
    assertThat(steps).isLessThanOrEqualTo((int) (requests / 100));
    assertThat(steps).isGreaterThanOrEqualTo((int) (time.toMillis() / UpkeepPace.MOST_BETWEEN_STEPS.toMillis()));
  }

  @Test
  void aSlowClientDoesNotKeepUpkeepOut() {
    pace.noteStep();
    for (int requests = 0; !pace.allowsStep(); requests++) {
      assertThat(requests).isLessThan(UpkeepPace.REQUESTS_BETWEEN_STEPS);
      pass(UpkeepPace.QUIET.minusMillis(1));
      pace.noteRequests(1, 1);
    }
  }

  @Test
  void manyClientsLeaveItAFifthOfTheTime() {
    Duration time = Duration.ofMinutes(1);
    int steps = steps(time, 64);
    double share = (double) steps * STEP.toMillis() / time.toMillis();
    assertThat(share).isBetween(0.15, 0.2);
  }

  @Test
  void aStepThatDelaysARequestKeepsPaceWithWhatWasWrittenSinceTheLastOne() {
    assertThat(pace.owedRows()).isZero();
    pace.noteRequests(2, 101);
    pace.noteRequests(1, 9);
    assertThat(pace.owedRows()).isEqualTo(220);
    pace.noteStep();
    assertThat(pace.owedRows()).isZero();
  }
}
