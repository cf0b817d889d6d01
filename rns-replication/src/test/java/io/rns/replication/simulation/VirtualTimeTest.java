package io.rns.replication.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime();
  private final SimulatedProcess process = new SimulatedProcess(time);
  private final List<String> happened = new ArrayList<>();

  private ProcessTiming timing(double rate) {
    return new ProcessTiming(time, process, rate);
  }

  private void note(String what) {
    happened.add(what + " at " + time.now() / 1_000_000);
  }

  @Test
  void threadsWaitInVirtualTime() {
    ProcessTiming timing = timing(1);
    timing.start("a", () -> {
      timing.pause(Duration.ofHours(2));
      note("a");
    });
    timing.start("b", () -> {
      timing.pause(Duration.ofHours(1));
      note("b");
    });
    time.runUntil(Duration.ofHours(3).toNanos());
    assertThat(happened).containsExactly("b at 3600000", "a at 7200000");
  }

  @Test
  void aFastClockWaitsLess() {
    ProcessTiming timing = timing(1.25);
    timing.start("a", () -> {
      timing.pause(Duration.ofSeconds(10));
      note("a");
    });
    time.runUntil(Duration.ofSeconds(20).toNanos());
    assertThat(happened).containsExactly("a at 8000");
  }

  @Test
  void concurrentTasksAreAwaited() {
    ProcessTiming timing = timing(1);
    timing.start("a", () -> {
      timing.runAll(List.of(() -> timing.pause(Duration.ofMillis(30)), () -> timing.pause(Duration.ofMillis(20))));
      note("both");
    });
    time.runUntil(Duration.ofSeconds(1).toNanos());
    assertThat(happened).containsExactly("both at 30");
  }

  @Test
  void aLockIsHeldByOne() {
    ProcessTiming timing = timing(1);
    Lock lock = timing.newLock();
    for (int i = 0; i < 3; i++) {
      timing.start("a", () -> {
        lock.lock();
        try {
          timing.pause(Duration.ofMillis(10));
          note("done");
        } finally {
          lock.unlock();
        }
      });
    }
    time.runUntil(Duration.ofSeconds(1).toNanos());
    assertThat(happened).containsExactly("done at 10", "done at 20", "done at 30");
  }

  @Test
  void aPausedProcessGoesOnLater() {
    ProcessTiming timing = timing(1);
    timing.start("a", () -> {
      timing.pause(Duration.ofMillis(10));
      note("a");
    });
    time.after(5_000_000, process::pause);
    time.after(50_000_000, process::resume);
    time.runUntil(Duration.ofSeconds(1).toNanos());
    assertThat(happened).containsExactly("a at 50");
  }

  @Test
  void aKilledProcessDoesNothingMore() {
    ProcessTiming timing = timing(1);
    timing.start("a", () -> {
      timing.pause(Duration.ofMillis(10));
      note("a");
    });
    time.after(5_000_000, process::kill);
    time.runUntil(Duration.ofSeconds(1).toNanos());
    assertThat(happened).isEmpty();
  }

  @Test
  void anErrorOfAThreadEndsTheHistory() {
    timing(1).start("a", () -> {
      throw new IllegalStateException("broken");
    });
    assertThatThrownBy(() -> time.runUntil(1)).hasMessage("broken");
  }
}
