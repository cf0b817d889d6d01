package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FairTasksTest {
  private static final long BOUND_SECONDS = Duration.ofMinutes(1).toSeconds();

  private final Semaphore wakes = new Semaphore(0);
  private final List<String> ended = new ArrayList<>();

  /** One host has many connections, another has one: it is next. */
  @Test
  void hostsTakeTurns() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (BackgroundTasks tasks = new BackgroundTasks(wakes::release)) {
      FairTasks<String> fair = new FairTasks<>(tasks, 1);
      fair.run("busy", "0", () -> await(gate), () -> ended.add("0"));
      for (String connection : List.of("1", "2", "gone", "3")) {
        fair.run("busy", connection, () -> await(gate), () -> ended.add(connection));
      }
      fair.run("other", "o", () -> await(gate), () -> ended.add("o"));
      fair.drop("busy", "gone");
      fair.drop("unknown", "gone");
      gate.countDown();
      while (ended.size() < 5) {
        assertThat(wakes.tryAcquire(BOUND_SECONDS, TimeUnit.SECONDS)).as("a task ends").isTrue();
        tasks.finish();
      }
    }
    assertThat(ended).containsExactly("0", "1", "o", "2", "3");
  }

  private static void await(CountDownLatch gate) {
    try {
      if (!gate.await(BOUND_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the gate stays closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
