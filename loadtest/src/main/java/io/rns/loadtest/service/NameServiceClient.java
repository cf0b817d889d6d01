package io.rns.loadtest.service;

import io.rns.api.Outcome;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.LoadRun;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Schedule;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of a load that calls a {@link io.rns.api.NameService}, which bounds its requests and is closed by its maker.
 */
public final class NameServiceClient implements LoadClient {
  private static final Duration LONGEST_FILLING = Duration.ofHours(12);

  private final Supplier<@Nullable Runnable> calls;
  private Runnable call = () -> {};

  /** A client that makes calls until there is none; a call throws {@link RnsException} if it fails. */
  public NameServiceClient(Supplier<@Nullable Runnable> calls) {
    this.calls = calls;
  }

  @Override
  public boolean prepare() {
    Runnable next = calls.get();
    call = next == null ? call : next;
    return next != null;
  }

  @Override
  public @Nullable Failure perform() {
    return perform(call);
  }

  static @Nullable Failure perform(Runnable call) {
    try {
      call.run();
      return null;
    } catch (RnsException e) {
      FailureKind kind =
          switch (e.error()) {
            case UNAVAILABLE -> FailureKind.CONNECTION;
            case TIMEOUT -> FailureKind.TIMEOUT;
            default -> FailureKind.FAULT;
          };
      return new Failure(kind, e.error() + ": " + e.getMessage());
    }
  }

  /** Throws the first failure, if there is one. */
  public static void requireDone(List<? extends Outcome<?>> outcomes) {
    outcomes.forEach(Outcome::orThrow);
  }

  /** Runs clients that add entries until none has a request left. */
  public static Measurement fill(List<? extends LoadClient> clients, Duration timeout) throws InterruptedException {
    Measurement filled = LoadRun.run(clients, Schedule.untilDone(LONGEST_FILLING), timeout);
    if (Thread.interrupted()) {
      throw new InterruptedException("stopped while adding entries");
    }
    if (filled.failures().total() > 0) {
      throw new RnsException(RnsError.UNAVAILABLE, "adding entries for the load failed: " + filled.failures());
    }
    return filled;
  }
}
