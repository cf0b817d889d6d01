package io.rns.client;

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

/**
 * Repeats what failed for a passing reason and may be repeated ({@link Repetition}): reads, and writes with a request
 * id or that have certainly not been applied.
 */
final class RetryingNameService implements NameService {
  private final Repetition repetition;

  RetryingNameService(Repetition repetition) {
    this.repetition = repetition;
  }

  /** One of the five operations with its request. */
  private interface Asking<A> {
    Answer<A> of(NameService server, CallContext call);
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return repeat(call, Subject.of(request), (server, asked) -> server.add(asked, request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return repeat(call, Subject.of(request), (server, asked) -> server.list(asked, request));
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    return repeat(call, Subject.of(request), (server, asked) -> server.subtree(asked, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return repeat(call, Subject.of(request), (server, asked) -> server.query(asked, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return repeat(call, Subject.of(request), (server, asked) -> server.update(asked, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return repeat(call, Subject.of(request), (server, asked) -> server.remove(asked, request));
  }

  private <A> Answer<A> repeat(CallContext call, Subject subject, Asking<A> asking) {
    return repetition.repeat(
        call, subject, e -> true, (server, deadline, asked) -> asking.of(server.until(deadline), asked));
  }

  @Override
  public void close() {
    repetition.close();
  }
}
