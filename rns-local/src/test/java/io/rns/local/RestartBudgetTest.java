package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RestartBudgetTest {
  private Instant now = Instant.EPOCH;
  private final RestartBudget budget =
      new RestartBudget(2, Duration.ofMinutes(10), Duration.ofSeconds(10), () -> now);

  @Test
  void givesUpAfterTooManyInOneWindow() {
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).isFalse();
  }

  @Test
  void doesNotCountRestartsAfterLongService() {
    for (int kill = 1; kill <= 20; kill++) {
      budget.serves();
      now = now.plusSeconds(10);
      assertThat(budget.take()).as("kill " + kill).isTrue();
    }
    budget.serves();
    now = now.plusSeconds(10).minusNanos(1);
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).as("crashed again before it served").isTrue();
    assertThat(budget.take()).isFalse();
  }

  @Test
  void forgetsRestartsOlderThanTheWindow() {
    budget.take();
    now = now.plus(Duration.ofMinutes(5));
    budget.take();
    now = now.plus(Duration.ofMinutes(5)).minusMillis(1);
    assertThat(budget.take()).isFalse();
    now = now.plusMillis(1);
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).isFalse();
  }
}
