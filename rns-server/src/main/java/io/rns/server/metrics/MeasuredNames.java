package io.rns.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.UpdateRequest;
import java.util.List;

/** Takes the time of each request. Closing it closes nothing. */
final class MeasuredNames implements NameService {
  private final NameService service;
  private final Operations times;

  MeasuredNames(NameService service, Operations times) {
    this.service = service;
    this.times = times;
  }

  /** The timers of all operations. */
  record Operations(RequestTimers add, RequestTimers list, RequestTimers query, RequestTimers update,
      RequestTimers remove, RequestTimers subtree) {
    static Operations in(MeterRegistry registry) {
      return new Operations(
          new RequestTimers(registry, "add"),
          new RequestTimers(registry, "list"),
          new RequestTimers(registry, "query"),
          new RequestTimers(registry, "update"),
          new RequestTimers(registry, "remove"),
          new RequestTimers(registry, "subtree"));
    }
  }

  /** A request to the service. */
  private interface Request<A> {
    Answer<A> ask();
  }

  /** What is counted of a result. */
  private interface Ending<A> {
    void ended(long startNanos, A result);
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return items(times.add(), () -> service.add(call, request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return timed(times.list(), times.list()::ended, () -> service.list(call, request));
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    return timed(times.subtree(), times.subtree()::ended, () -> service.subtree(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return items(times.query(), () -> service.query(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return items(times.update(), () -> service.update(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return items(times.remove(), () -> service.remove(call, request));
  }

  private static Answer<List<Outcome<Entry>>> items(RequestTimers timers, Request<List<Outcome<Entry>>> request) {
    return timed(timers, timers::ended, request);
  }

  private static <A> Answer<A> timed(RequestTimers timers, Ending<A> ending, Request<A> request) {
    long start = System.nanoTime();
    try {
      Answer<A> answer = request.ask();
      switch (answer) {
        case Answer.Served<A> served -> ending.ended(start, served.value());
        case Answer.Referred<A> referred -> timers.failed(start, Answer.Referred.ERROR);
      }
      return answer;
    } catch (RuntimeException e) {
      timers.failed(start, e);
      throw e;
    }
  }

  @Override
  public void close() {
    // The service is not its own.
  }
}
