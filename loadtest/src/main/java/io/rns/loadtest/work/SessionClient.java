package io.rns.loadtest.work;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import org.jspecify.annotations.Nullable;

/** A client of a load that performs the operations of a source in a session, which it closes. */
public final class SessionClient implements LoadClient {
  private final Session session;
  private final CallSource source;
  private Call call = Call.of(Kind.QUERY, "/");

  /** A client that has not begun. */
  public SessionClient(Session session, CallSource source) {
    this.session = session;
    this.source = source;
  }

  @Override
  public boolean prepare() {
    Call next = source.next();
    if (next == null) {
      return false;
    }
    call = next;
    session.prepare(next);
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    source.begun(call);
    Failure failure = session.perform();
    source.done(call, failure == null);
    return failure;
  }

  @Override
  public long dueNanos() {
    return source.dueNanos();
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
