package io.rns.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SystemTimingTest {
  /** The steps of a change waited behind requests of clients that were worked at: for seconds right after a start. */
  @Test
  @Timeout(30)
  void stepsOfAChangeOfThePrimaryDoNotWaitForVirtualThreads() throws InterruptedException {
    int threads = Runtime.getRuntime().availableProcessors();
    CountDownLatch spinning = new CountDownLatch(threads);
    AtomicBoolean stepped = new AtomicBoolean();
    for (int i = 0; i < threads; i++) {
      Thread.startVirtualThread(() -> {
        spinning.countDown();
        while (!stepped.get()) {
          Thread.onSpinWait();
        }
      });
    }
    assertThat(spinning.await(20, TimeUnit.SECONDS)).isTrue();
    Timing.system().runAll(List.of(() -> stepped.set(true)));
    assertThat(stepped).isTrue();
  }
}
