package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AssumptionsTest {
  private final Assumptions assumptions = new Assumptions();

  private void succeed(int transactions) {
    for (int i = 0; i < transactions; i++) {
      assumptions.noteSuccess();
    }
  }

  /** How many of so many transactions look up, if each n-th one adds a name that exists. */
  private int lookUps(int transactions, int every) {
    int lookUps = 0;
    for (int i = 0; i < transactions; i++) {
      if (assumptions.allowed() && i % every == 0) {
        assumptions.noteFailure();
      }
      lookUps += assumptions.allowed() ? 0 : 1;
      assumptions.noteSuccess();
    }
    return lookUps;
  }

  @Test
  void afterAFailureThatTransactionAloneLooksUp() {
    assertThat(assumptions.allowed()).isTrue();
    assumptions.noteFailure();
    assertThat(assumptions.allowed()).isFalse();
    succeed(1);
    assertThat(assumptions.allowed()).isTrue();
  }

  @Test
  void failuresNowAndThenCostThoseTransactionsOnly() {
    assertThat(lookUps(10_000, 20)).isEqualTo(500);
  }

  @Test
  void whereNothingIsNewNearlyAllTransactionsLookUpAtOnce() {
    int failures = 0;
    for (int i = 0; i < 1_600; i++) {
      if (assumptions.allowed()) {
        assumptions.noteFailure();
        failures++;
      }
      assumptions.noteSuccess();
    }
    assertThat(failures).isLessThanOrEqualTo(1_600 / Assumptions.MOST + 4);
  }

  @Test
  void itEndsWhenNamesAreNewAgain() {
    int unused = lookUps(1_600, 1);
    succeed(Assumptions.MOST);
    assertThat(assumptions.allowed()).isTrue();
    succeed(Assumptions.MOST + 1);
    assumptions.noteFailure();
    succeed(1);
    assertThat(assumptions.allowed()).isTrue();
  }
}
