package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Position;
import io.rns.api.Positions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for a position is woken when it is served, and not before. */
class ServedPositionTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int MANY = 2_000;

  private final ServedPosition served = new ServedPosition(at(10), Positions.NONE, Instant.EPOCH);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private static Position at(long sequence) {
    return new Position(0, 1, sequence);
  }

  private void advance(Position position) {
    served.advance(position, Positions.NONE, Instant.EPOCH);
    served.wake();
  }

  private Future<Boolean> awaiting(long sequence, Duration most) {
    return threads.submit(() -> served.await(at(sequence), most));
  }

  private static <T> T result(Future<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void whatIsServedIsNotWaitedFor() throws Exception {
    assertThat(served.await(at(10), Duration.ZERO)).isTrue();
    assertThat(served.await(new Position(1, 1, 99), Duration.ZERO)).as("of another group").isTrue();
    assertThat(served.isWaitedFor()).isFalse();
  }

  @Test
  void whatDoesNotComeInTimeIsToldSoAndNobodyWaitsAnyMore() throws Exception {
    assertThat(served.await(at(11), Duration.ofMillis(1))).isFalse();
    assertThat(served.isWaitedFor()).isFalse();
  }

  @Test
  void whoeverWaitsHurriesTheOneWhoFollows() throws Exception {
    served.onWait(() -> served.advance(at(12), Positions.NONE, Instant.EPOCH));
    assertThat(served.await(at(12), LONG)).isTrue();
  }

  @Test
  void eachOfManyIsWokenByHisOwnPosition() throws Exception {
    List<Long> wanted = new ArrayList<>();
    for (long i = 0; i < MANY; i++) {
      wanted.add(11 + i % 50);
    }
    Collections.shuffle(wanted, new java.util.Random(7));
    List<Future<Long>> waiting = new ArrayList<>();
    for (long sequence : wanted) {
      Callable<Long> seen =
          () -> {
            assertThat(served.await(at(sequence), LONG)).isTrue();
            return served.position().sequence();
          };
      waiting.add(threads.submit(seen));
    }
    for (long sequence = 11; sequence <= 60; sequence++) {
      advance(at(sequence));
      for (int i = 0; i < MANY; i++) {
        if (wanted.get(i) == sequence) {
          assertThat(result(waiting.get(i))).isGreaterThanOrEqualTo(sequence);
        } else if (wanted.get(i) > sequence) {
          assertThat(waiting.get(i).isDone()).as("waits for %d at %d", wanted.get(i), sequence).isFalse();
        }
      }
    }
    assertThat(served.isWaitedFor()).isFalse();
  }

  @Test
  void aStepOverSeveralPositionsWakesAllOfThem() throws Exception {
    List<Future<Boolean>> waiting = List.of(awaiting(11, LONG), awaiting(15, LONG), awaiting(20, LONG));
    advance(at(20));
    for (Future<Boolean> one : waiting) {
      assertThat(result(one)).isTrue();
    }
  }

  @Test
  void theEpochGoesBeforeTheSequence() throws Exception {
    Position next = new Position(0, 2, 5);
    assertThat(served.await(next, Duration.ofMillis(1))).as("0-2-5 at 0-1-10").isFalse();
    AtomicInteger waiters = new AtomicInteger();
    served.onWait(waiters::incrementAndGet);
    Future<Boolean> waiting = threads.submit(() -> served.await(next, LONG));
    Future<Boolean> former = awaiting(60, LONG);
    while (waiters.get() < 2) {
      Thread.onSpinWait();
    }
    advance(at(70));
    assertThat(result(former)).isTrue();
    assertThat(waiting.isDone()).as("0-2-5 at 0-1-70").isFalse();
    advance(new Position(0, 2, 6));
    assertThat(result(waiting)).isTrue();
    assertThat(served.await(at(99), Duration.ZERO)).as("0-1-99 at 0-2-6").isTrue();
  }

  @Test
  void whoeverIsInterruptedWaitsNoLonger() throws Exception {
    AtomicReference<Thread> thread = new AtomicReference<>();
    Future<Boolean> waiting =
        threads.submit(
            () -> {
              thread.set(Thread.currentThread());
              return served.await(at(11), LONG);
            });
    while (!served.isWaitedFor()) {
      Thread.onSpinWait();
    }
    thread.get().interrupt();
    assertThatThrownBy(() -> result(waiting))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(served.isWaitedFor()).isFalse();
  }
}
