package io.rns.loadtest;

import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;

/** A client of a load that performs one operation after the other in a session. */
abstract class SessionClient implements LoadClient {
  private final Session session;
  private Call call = Call.of(Kind.QUERY, "/");

  SessionClient(Session session) {
    this.session = session;
  }

  /** Makes ready what is performed next. */
  final void prepare(Call next) {
    call = next;
    session.prepare(next);
  }

  final Session session() {
    return session;
  }

  /** What was made ready last. */
  final Call call() {
    return call;
  }

  @Override
  public final String operation() {
    return call.kind().toString();
  }

  @Override
  public final void cut() {
    session.cut();
  }

  @Override
  public final long reconnects() {
    return session.reconnects();
  }

  @Override
  public final void close() {
    session.close();
  }
}
