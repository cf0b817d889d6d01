package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VerificationTurnsTest {
  private static final int ALL = 1 + VerificationTurns.MOST_WAITING;

  private final VerificationTurns turns = new VerificationTurns("certificates", 1, Duration.ofSeconds(50));
  private final List<String> order = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch go = new CountDownLatch(1);

  private Verification verify(String origin) {
    return turns.take(origin, () -> {
      order.add(origin);
      try {
        assertThat(go.await(50, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return new Verification.Invalid("wrong");
    });
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.yield();
    }
  }

  @Test
  void anOriginWithManyWrongCredentialsDoesNotKeepOthersOut() throws Exception {
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Verification>> many = new ArrayList<>();
      for (int i = 0; i < 5 * ALL; i++) {
        many.add(callers.submit(() -> verify("a")));
      }
      int most = ALL * 3 / 4;
      await(() -> turns.taken() == most && many.stream().filter(Future::isDone).count() == 5 * ALL - most);
      Future<Verification> other = callers.submit(() -> verify("b"));
      await(() -> turns.originsWaiting() == 2);
      go.countDown();
      assertThat(other.get()).isInstanceOf(Verification.Invalid.class);
      int refused = 0;
      for (Future<Verification> each : many) {
        if (each.get() instanceof Verification.Undecided(boolean busy, String reason)) {
          assertThat(busy).isTrue();
          assertThat(reason).contains(most + " certificates that wait to be verified, its own limit");
          refused++;
        }
      }
      assertThat(refused).isEqualTo(5 * ALL - most);
    }
    // After the first, each origin has its turn.
    assertThat(order.subList(0, 3)).contains("b");
    assertThat(turns.taken()).isZero();
  }
}
