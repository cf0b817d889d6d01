package io.rns.loadtest.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What processes use of the processors is told by what they are. */
class ProcessorsTest {
  private static final Duration SOME = Duration.ofMillis(200);
  private static final long BOUND_NANOS = Duration.ofMinutes(2).toNanos();

  @Test
  void tellsWhatAnotherProcessUses() throws IOException {
    Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    try {
      Processors processors = new Processors(Map.of("busy", List.of(busy.pid(), -1L)));
      Map<String, Duration> before = processors.used();
      Map<String, Duration> used = Map.of("busy", Duration.ZERO);
      long until = System.nanoTime() + BOUND_NANOS;
      while (used.get("busy").compareTo(SOME) < 0 && System.nanoTime() - until < 0) {
        used = Processors.between(before, processors.used());
      }
      assertThat(used.get("busy")).isGreaterThanOrEqualTo(SOME);
      assertThat(used.get(Processors.GENERATOR)).as("of the loop above").isPositive();
    } finally {
      busy.destroyForcibly();
    }
  }

  @Test
  void aProcessThatHasEndedTakesNothingBack() {
    Map<String, Duration> before = Map.of("server", Duration.ofSeconds(2));
    assertThat(Processors.between(before, Map.of("server", Duration.ZERO))).isEqualTo(Map.of("server", Duration.ZERO));
  }

  @Test
  void waitsUntilOtherProcessesAreIdle() throws IOException {
    Map<String, Duration> idle = Map.of(Processors.GENERATOR, Duration.ofSeconds(9), "server", Duration.ofMillis(30));
    assertThat(Processors.areIdle(idle)).isTrue();
    assertThat(Processors.areIdle(Map.of("server", Duration.ofMillis(30), "database", Duration.ofMillis(40))))
        .isFalse();
    Process sleeping = new ProcessBuilder("sleep", "600").start();
    try {
      new Processors(Map.of("sleeping", List.of(sleeping.pid()))).awaitIdle();
      assertThat(sleeping.isAlive()).isTrue();
      Thread.currentThread().interrupt();
      new Processors(Map.of("sleeping", List.of(sleeping.pid()))).awaitIdle();
      assertThat(Thread.interrupted()).isTrue();
    } finally {
      sleeping.destroyForcibly();
    }
  }
}
