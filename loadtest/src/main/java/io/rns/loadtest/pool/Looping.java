package io.rns.loadtest.pool;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.LoadRun;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Schedule;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Users that each make their next request when the former one is answered.
 *
 * @param users how many
 * @param nanos what a request takes
 */
record Looping(int users, long nanos) {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** Makes requests; those of the warm-up do not count. */
  Outcome run(Balancer balancer, Duration warmUp, Duration measured) {
    List<OneUser> clients =
        Collections.nCopies(users, balancer).stream().map(each -> new OneUser(each, nanos)).toList();
    Measurement made = LoadRun.run(clients, new Schedule(warmUp, measured), TIMEOUT);
    return new Outcome(made.latencies(), made.failures().total(), made.measured().toNanos() / 1e9);
  }

  /** One of them. */
  private record OneUser(Balancer balancer, long nanos) implements LoadClient {
    @Override
    public boolean prepare() {
      return true;
    }

    @Override
    public @Nullable Failure perform() {
      try {
        balancer.send(nanos);
        return null;
      } catch (IOException e) {
        return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void cut() {
      // A request ends when its server answers; servers are closed only afterwards.
    }

    @Override
    public void close() {
      // Connections are shared.
    }
  }
}
