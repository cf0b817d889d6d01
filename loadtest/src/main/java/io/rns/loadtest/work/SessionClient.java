package io.rns.loadtest.work;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client of a load that performs the operations of a source in a session, which it closes. */
public final class SessionClient implements LoadClient {
  private final Session session;
  private final CallSource source;
  private Call call = Call.of(Kind.QUERY, "/");

  public SessionClient(Session session, CallSource source) {
    this.session = session;
    this.source = source;
  }

  /** A workload of clients that each have a session of their own. */
  public static Workload workload(String name, int clients, Supplier<Session> sessions, IntFunction<CallSource> calls,
      Duration timeout) {
    return new Workload(
        name,
        1,
        () -> {
          List<LoadClient> made = new ArrayList<>();
          try {
            for (int i = 0; i < clients; i++) {
              made.add(new SessionClient(sessions.get(), calls.apply(i)));
            }
            return made;
          } catch (RuntimeException e) {
            made.forEach(LoadClient::close);
            throw e;
          }
        },
        timeout);
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
