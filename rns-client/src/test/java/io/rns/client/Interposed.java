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
import java.util.function.Consumer;

/**
 * A service that shows each request to somebody before it asks the one behind it.
 *
 * @param service the one behind it
 * @param before gets the request; what it throws is the answer
 */
public record Interposed(NameService service, Consumer<Object> before) implements NameService {
  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    before.accept(request);
    return service.add(call, request);
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    before.accept(request);
    return service.list(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    before.accept(request);
    return service.query(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    before.accept(request);
    return service.update(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    before.accept(request);
    return service.remove(call, request);
  }

  @Override
  public void close() {
    service.close();
  }
}
