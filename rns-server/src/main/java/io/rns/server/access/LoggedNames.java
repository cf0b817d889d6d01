package io.rns.server.access;

import io.rns.access.AccessLine;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Routing;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Takes down what one session asks. Closing it closes nothing. */
final class LoggedNames implements NameService {
  private final NameService service;
  private final AccessLog log;
  private final String session;

  LoggedNames(NameService service, AccessLog log, String session) {
    this.service = service;
    this.log = log;
    this.session = session;
  }

  /** How an item is told. */
  private record Told(String operation, Target target, String newPath) {
    static Told of(String operation, Target target) {
      return new Told(operation, target, "");
    }

    static Told of(NewEntry entry) {
      return of(entry.isDirectory() ? "mkdir" : "add", entry.target());
    }

    static Told of(EntryChange change) {
      boolean moves = change.name().isPresent() || change.parent().isPresent();
      return moves ? new Told("move", change.target(), MovedPath.of(change)) : of("update", change.target());
    }

    static Told of(Removal removal) {
      return of("remove", removal.target());
    }
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return items(call, request.entries(), Told::of, () -> service.add(call, request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return asked(
        call,
        List.of(request.directory()),
        directory -> Told.of("list", directory),
        () -> service.list(call, request),
        (page, item) -> outcome(page));
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    return asked(
        call,
        List.of(request.directory()),
        directory -> Told.of("subtree", directory),
        () -> service.subtree(call, request),
        (page, item) -> outcome(page));
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return items(call, request.targets(), target -> Told.of("query", target), () -> service.query(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return items(call, request.changes(), Told::of, () -> service.update(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return items(call, request.removals(), Told::of, () -> service.remove(call, request));
  }

  private <I> Answer<List<Outcome<Entry>>> items(
      CallContext call, List<I> items, Function<I, Told> told, Supplier<Answer<List<Outcome<Entry>>>> service) {
    return asked(call, items, told, service, (outcomes, item) -> outcome(outcomes.get(item)));
  }

  /** How it ended for one item. */
  private interface Ending<A> {
    String of(A result, int item);
  }

  private <I, A> Answer<A> asked(
      CallContext call, List<I> items, Function<I, Told> told, Supplier<Answer<A>> service, Ending<A> ending) {
    if (call.routing() == Routing.HERE) {
      return service.get();
    }
    Instant begun = log.now();
    long start = log.nanos();
    Answer<A> answer;
    try {
      answer = service.get();
    } catch (RuntimeException e) {
      String error = (e instanceof RnsException known ? known.error() : RnsError.INTERNAL).name();
      take(call, begun, start, items, told, item -> error);
      throw e;
    }
    take(call, begun, start, items, told, switch (answer) {
      case Answer.Served<A> served -> item -> ending.of(served.value(), item);
      case Answer.Referred<A> referred -> item -> Answer.Referred.ERROR.name();
    });
    return answer;
  }

  private <I> void take(
      CallContext call, Instant begun, long start, List<I> items, Function<I, Told> told, IntFunction<String> ending) {
    long micros = Math.max(0, log.nanos() - start) / 1_000;
    for (int item = 0; item < items.size(); item++) {
      Told one = told.apply(items.get(item));
      log.take(
          new PendingLogLine(
              begun, session, call.caller().name(), one.operation(), one.target(), one.newPath(), ending.apply(item),
              micros));
    }
  }

  private static String outcome(Outcome<?> outcome) {
    return outcome instanceof Outcome.Refused<?> refused ? refused.refusal().error().name() : AccessLine.OK;
  }

  @Override
  public void close() {
    // The service is not its own.
  }
}
