package io.rns.server.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Admission of requests. */
class RequestAdmissionTest {
  private static final long MILLI = 1_000_000;
  private final AtomicLong nanos = new AtomicLong();

  private RequestAdmission admission(OverloadSettings.Mode mode, int places) {
    return new RequestAdmission(new OverloadSettings(mode, places), nanos::get);
  }

  @ParameterizedTest
  @CsvSource({"100,10,10", "5,2,2", "7,2,4", "3,2,2", "1,2,1", "1,10,1", "999,1000,1",
      "9223372036854775807,1,2147483647"})
  void placesAreRoundedHalvesToTheEvenOne(long capacity, long request, int places) {
    assertThat(OverloadSettings.places(capacity, request)).isEqualTo(places);
  }

  @Test
  void whoFindsNoPlaceIsToldWhenToComeBack() {
    RequestAdmission admission = admission(OverloadSettings.Mode.FIXED, 1);
    RequestAdmission.Ticket first = admission.enter(() -> "a");
    assertThat(admission.freePlaces()).isZero();
    assertThat(admission.occupiedPercent()).isEqualTo(100);
    assertThatThrownBy(() -> admission.enter(() -> "b"))
        .isInstanceOfSatisfying(
            RnsException.class,
            e -> {
              assertThat(e.error()).isEqualTo(RnsError.BUSY);
              assertThat(e.retryMillis()).hasValue(AdmissionPlaces.LEAST_RETRY_MILLIS);
            });
    first.close();
    first.close();
    assertThat(admission.freePlaces()).isOne();
    assertThat(admission.statistics()).containsEntry("rejectedRequests", 1L).containsEntry("occupiedPlaces", 0);
  }

  @Test
  void whatIsOffTurnsNobodyAway() {
    RequestAdmission admission = new RequestAdmission(OverloadSettings.OFF, nanos::get);
    for (int i = 0; i < 10_000; i++) {
      assertThat(admission.enter(() -> "a")).isNotNull();
    }
    assertThat(admission.freePlaces()).isEqualTo(Integer.MAX_VALUE);
    assertThat(admission.occupiedPercent()).isZero();
    assertThat(admission.statistics()).isEmpty();
  }

  @Test
  void anAdaptiveLimitFallsWhenRequestsGetSlowAndRisesAgain() {
    RequestAdmission admission = admission(OverloadSettings.Mode.ADAPTIVE, 200);
    work(admission, 50, 10);
    assertThat(admission.freePlaces()).isEqualTo(200);
    work(admission, 1, 1_000);
    assertThat(admission.freePlaces()).isBetween(1, 50);
    work(admission, 200, 10);
    assertThat(admission.freePlaces()).isEqualTo(200);
  }

  /** As many requests at a time as are let in, all of them taking the same time. */
  private void work(RequestAdmission admission, int rounds, long millis) {
    for (int round = 0; round < rounds; round++) {
      List<RequestAdmission.Ticket> inside = new ArrayList<>();
      while (admission.freePlaces() > 0) {
        inside.add(admission.enter(() -> "a"));
      }
      nanos.addAndGet(millis * MILLI);
      inside.forEach(RequestAdmission.Ticket::close);
    }
  }

  @Test
  void whoOnlyWaitsTeachesNothing() {
    RequestAdmission admission = admission(OverloadSettings.Mode.FIXED, 1);
    for (int i = 0; i < 100; i++) {
      RequestAdmission.Ticket ticket = admission.enter(() -> "a");
      nanos.addAndGet(60_000 * MILLI);
      ticket.closeUnworked();
    }
    RequestAdmission.Ticket last = admission.enter(() -> "a");
    assertThatThrownBy(() -> admission.enter(() -> "b"))
        .isInstanceOfSatisfying(RnsException.class,
            e -> assertThat(e.retryMillis()).hasValue(AdmissionPlaces.LEAST_RETRY_MILLIS));
    last.close();
  }

  @Test
  void manyThreadsNeverHoldMoreThanThereIs() throws Exception {
    RequestAdmission admission = admission(OverloadSettings.Mode.FIXED, 3);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      String caller = "c" + t % 3;
      threads.add(Thread.ofPlatform().start(() -> hammer(admission, caller, inside, most)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most).hasValueBetween(1, 3);
    assertThat(admission.freePlaces()).isEqualTo(3);
  }

  private static void hammer(RequestAdmission admission, String caller, AtomicInteger inside, AtomicInteger most) {
    for (int i = 0; i < 20_000; i++) {
      try (RequestAdmission.Ticket ticket = admission.enter(() -> caller)) {
        assertThat(ticket).isNotNull();
        int now = inside.incrementAndGet();
        most.accumulateAndGet(now, Math::max);
        inside.decrementAndGet();
      } catch (RnsException e) {
        Thread.onSpinWait();
      }
    }
  }
}
