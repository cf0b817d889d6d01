package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Histories of what callers may do: {@code -Drns.test.accessHistories}, from {@code -Drns.test.firstSeed} on. */
class AccessHistoryTest {
  private static final int HISTORIES = Integer.getInteger("rns.test.accessHistories", 40);
  private static final long FIRST = Long.getLong("rns.test.firstSeed", 1);
  /** Of what fails in histories, and is mended there. */
  private static final Logger LOG = Logger.getLogger("io.rns.server");

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void beLoud() {
    LOG.setLevel(null);
  }

  @Test
  void movesOfContentAndFailoversGiveNobodyMoreThanRulesDo() {
    long writes = 0;
    long moved = 0;
    long permitted = 0;
    long refused = 0;
    long belowCuts = 0;
    long cutsInside = 0;
    for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      AccessHistory history = history(seed);
      writes += history.writes();
      moved += history.moved();
      permitted += history.permitted();
      refused += history.refused();
      belowCuts += history.belowCuts();
      cutsInside += history.cutsInside();
    }
    assertThat(moved).as("moves").isGreaterThan(HISTORIES / 2);
    assertThat(writes).as("writes").isGreaterThan(20L * HISTORIES);
    assertThat(permitted).as("permitted").isGreaterThan(1_000L * HISTORIES);
    assertThat(refused).as("refused").isGreaterThan(1_000L * HISTORIES);
    assertThat(belowCuts).as("permitted below cuts").isGreaterThan(100L * HISTORIES);
    assertThat(cutsInside).as("permitted below cuts inside of others").isGreaterThan(3L * HISTORIES);
  }

  private static AccessHistory history(long seed) {
    try {
      return CompletableFuture
          .supplyAsync(() -> new AccessHistory(seed).run(), task -> Thread.ofVirtual().start(task)).join();
    } catch (CompletionException e) {
      throw new AssertionError("seed " + seed + ": " + e.getCause().getMessage(), e.getCause());
    }
  }
}
