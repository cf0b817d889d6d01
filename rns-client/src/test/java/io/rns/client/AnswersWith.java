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
import io.rns.api.UpdateRequest;
import java.util.List;

/**
 * A service whose answers to batches somebody changes.
 *
 * @param change gets the context and the answer
 */
record AnswersWith(NameService service, Change change) implements NameService {
  /** Makes another answer of one. */
  interface Change {
    Answer<List<Outcome<Entry>>> of(CallContext call, Answer<List<Outcome<Entry>>> answer);
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return change.of(call, service.add(call, request));
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return service.list(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return change.of(call, service.query(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return change.of(call, service.update(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return change.of(call, service.remove(call, request));
  }

  @Override
  public void close() {
    service.close();
  }
}
