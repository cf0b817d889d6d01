package io.rns.loadtest;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Caller;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client of a load that performs the operations of a caller in a session. */
final class CallingClient implements LoadClient {
  private final Caller caller;
  private final Session session;
  private final Consumer<Call> recorder;
  private Call call = Call.of(Kind.QUERY, "/");

  /**
   * A client.
   *
   * @param recorder is told of every operation when it begins
   */
  CallingClient(Caller caller, Session session, Consumer<Call> recorder) {
    this.caller = caller;
    this.recorder = recorder;
    this.session = session;
  }

  @Override
  public boolean prepare() {
    call = caller.next();
    session.prepare(call);
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    recorder.accept(call);
    Failure failure = session.perform();
    caller.done(call, failure == null);
    return failure;
  }

  @Override
  public String operation() {
    return call.kind().toString();
  }

  @Override
  public void cut() {
    session.cut();
  }

  @Override
  public long reconnects() {
    return session.reconnects();
  }

  @Override
  public void close() {
    session.close();
  }
}
