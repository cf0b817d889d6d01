package io.rns.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A share of the calls may be repeated, and what is saved up is bounded. */
class RetryBudgetTest {
  private final RetryBudget budget = new RetryBudget(0.25, 2);

  private int taken() {
    int taken = 0;
    while (taken < 1_000 && budget.take()) {
      taken++;
    }
    return taken;
  }

  @Test
  void whatIsSavedUpIsBounded() {
    assertThat(taken()).as("full at first").isEqualTo(2);
    for (int i = 0; i < 4; i++) {
      assertThat(budget.take()).as("after " + i + " calls").isFalse();
      budget.earn();
    }
    assertThat(taken()).isEqualTo(1);
    for (int i = 0; i < 1_000; i++) {
      budget.earn();
    }
    assertThat(taken()).isEqualTo(2);
  }
}
