package io.rns.server.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Handover;
import io.rns.replication.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

class ChangeRetryTest {
  private static final Handover.Result CHANGED =
      new Handover.Result("http://b", Optional.of("http://a"), new Position(0, 2, 7), 200);

  private long now;
  private int changes;

  /** Time that passes only in pauses. */
  private final Timing time = new Timing() {
    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void pause(Duration length) {
      now += length.toNanos();
    }

    @Override
    public void runAll(List<Runnable> tasks) {
      throw new AssertionError("it has no tasks");
    }

    @Override
    public void start(String name, Runnable task) {
      throw new AssertionError("it has no tasks");
    }

    @Override
    public Lock newLock() {
      return Timing.system().newLock();
    }
  };

  private Handover.Result run(int refusals, RnsError error) {
    return new ChangeRetry(time).run(() -> {
      if (changes++ < refusals) {
        throw new RnsException(error, "another change has begun");
      }
      return CHANGED;
    });
  }

  /** A switchover during an automatic failover ended with an error at once. */
  @Test
  void aChangeThatMeetsAnotherOneIsRepeated() {
    assertThat(run(3, RnsError.NOT_PRIMARY)).isEqualTo(CHANGED);
    assertThat(changes).isEqualTo(4);
  }

  @Test
  void notForEver() {
    assertThatThrownBy(() -> run(Integer.MAX_VALUE, RnsError.NOT_PRIMARY))
        .hasMessage("another change has begun (repeated for 10 s)")
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY));
    assertThat(now).isEqualTo(ChangeRetry.MOST.toNanos());
  }

  @Test
  void anotherErrorEndsIt() {
    assertThatThrownBy(() -> run(1, RnsError.UNAVAILABLE)).hasMessage("another change has begun");
    assertThat(changes).isOne();
  }
}
