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
import io.rns.api.RequestId;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.UpdateRequest;
import java.util.List;
import java.util.function.Supplier;

/** Gives every write that has no request id a fresh one, which makes it repeatable. */
final class RequestIdNameService implements NameService {
  private final NameService service;
  private final Supplier<RequestId> ids;

  RequestIdNameService(NameService service, Supplier<RequestId> ids) {
    this.service = service;
    this.ids = ids;
  }

  private CallContext identified(CallContext call) {
    return call.requestId().isPresent() ? call : call.with(ids.get());
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return service.add(identified(call), request);
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return service.list(call, request);
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    return service.subtree(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return service.query(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return service.update(identified(call), request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return service.remove(identified(call), request);
  }

  @Override
  public void close() {
    service.close();
  }
}
