package io.rns.client.subtree;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.client.call.Ticker;
import org.junit.jupiter.api.Test;

class DirectOffersTest {
  private long now = Long.MAX_VALUE - 5;

  @Test
  void afterAFailureNothingIsOfferedForAMinute() {
    DirectOffers offers = new DirectOffers(new Ticker() {
      @Override
      public long nanos() {
        return now;
      }

      @Override
      public void pause(long nanos) {
        now += nanos;
      }
    });
    assertThat(offers.areMade()).isTrue();
    for (int i = 0; i < 2; i++) {
      offers.failed();
      assertThat(offers.areMade()).isFalse();
      now += DirectOffers.PAUSE.toNanos();
      assertThat(offers.areMade()).isFalse();
      now++;
      assertThat(offers.areMade()).isTrue();
    }
  }
}
