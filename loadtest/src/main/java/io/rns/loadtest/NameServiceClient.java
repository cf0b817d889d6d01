package io.rns.loadtest;

import io.rns.api.Outcome;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client of a load that calls a {@link io.rns.api.NameService}. */
final class NameServiceClient implements LoadClient {
  private final Supplier<@Nullable Runnable> calls;
  private Runnable call = () -> {};

  /**
   * A client.
   *
   * @param calls gives the next call, ready to be made, or null if there are no more; the call throws what went wrong
   */
  NameServiceClient(Supplier<@Nullable Runnable> calls) {
    this.calls = calls;
  }

  @Override
  public boolean prepare() {
    Runnable next = calls.get();
    if (next == null) {
      return false;
    }
    call = next;
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    try {
      call.run();
      return null;
    } catch (RnsException e) {
      return new Failure(kindOf(e.error()), e.error() + ": " + e.getMessage());
    }
  }

  private static FailureKind kindOf(RnsError error) {
    return switch (error) {
      case UNAVAILABLE -> FailureKind.CONNECTION;
      case TIMEOUT -> FailureKind.TIMEOUT;
      default -> FailureKind.FAULT;
    };
  }

  /** Throws the first refusal, if there is one. */
  static void requireDone(List<? extends Outcome<?>> outcomes) {
    outcomes.forEach(Outcome::orThrow);
  }

  /** Does nothing: a name service bounds its requests itself. */
  @Override
  public void cut() {}

  /** Does nothing: the clients of a load share one name service, which their maker closes. */
  @Override
  public void close() {}
}
