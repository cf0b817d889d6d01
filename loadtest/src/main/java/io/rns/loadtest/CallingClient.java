package io.rns.loadtest;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Caller;
import io.rns.loadtest.work.Session;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client of a load that performs the operations of a caller in a session. */
final class CallingClient extends SessionClient {
  private final Caller caller;
  private final Consumer<Call> recorder;

  /**
   * A client.
   *
   * @param recorder is told of every operation when it begins
   */
  CallingClient(Caller caller, Session session, Consumer<Call> recorder) {
    super(session);
    this.caller = caller;
    this.recorder = recorder;
  }

  @Override
  public boolean prepare() {
    prepare(caller.next());
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    recorder.accept(call());
    Failure failure = session().perform();
    caller.done(call(), failure == null);
    return failure;
  }
}
