package io.rns.loadtest;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Session;
import io.rns.loadtest.work.Trace;
import io.rns.loadtest.work.TraceCopies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One session of a trace, in one of its copies. */
final class TraceClient extends SessionClient {
  private final List<Trace.Event> events;
  private final TraceCopies copies;
  private final int copy;
  private final String top;
  private int next;

  TraceClient(List<Trace.Event> events, TraceCopies copies, int copy, String top, Session session) {
    super(session);
    this.events = events;
    this.copies = copies;
    this.copy = copy;
    this.top = top;
  }

  @Override
  public boolean prepare() {
    if (next == events.size()) {
      return false;
    }
    Call copied = copies.call(events.get(next++).call(), copy);
    prepare(new Call(copied.kind(), below(copied.path()), copied.to().isEmpty() ? "" : below(copied.to())));
    return true;
  }

  private String below(String path) {
    return path.equals("/") ? top : top + path;
  }

  @Override
  public long dueNanos() {
    return events.get(next - 1).nanos();
  }

  @Override
  public @Nullable Failure perform() {
    return session().perform();
  }
}
