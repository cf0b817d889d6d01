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
import io.rns.client.call.BoundedNameService;
import io.rns.client.call.Deadline;
import io.rns.client.http.HttpEndpoint;
import io.rns.client.message.RemoteCall;
import io.rns.error.Limits;
import io.rns.pool.PoolService;
import io.rns.xml.XmlBuffer;
import java.time.Duration;
import java.util.List;

/** Asks a server with one SOAP message per call. */
final class SoapNameService implements BoundedNameService {
  private static final int USUAL_MESSAGE_BYTES = 1_024;

  private final HttpEndpoint endpoint;
  private final Duration requestTimeout;
  private final ReferralKeeper referrals;

  SoapNameService(HttpEndpoint endpoint, Duration requestTimeout, ReferralKeeper referrals) {
    this.endpoint = endpoint;
    this.referrals = referrals;
    this.requestTimeout = requestTimeout;
  }

  @Override
  public NameService until(Deadline deadline) {
    return new Attempt(deadline.butWithin(requestTimeout));
  }

  @Override
  public PoolService pools(Deadline deadline) {
    return new SoapPools(endpoint, deadline.butWithin(requestTimeout));
  }

  @Override
  public boolean isOpen() {
    return endpoint.isOpen();
  }

  @Override
  public void close() {
    endpoint.close();
  }

  private final class Attempt implements NameService {
    private final Deadline deadline;

    Attempt(Deadline deadline) {
      this.deadline = deadline;
    }

    private <A> Answer<A> ask(RemoteCall<A> plain, CallContext call) {
      RemoteCall<A> explained = plain.explaining(call);
      RemoteCall<A> remote = referrals.claim() ? referrals.asking(explained) : explained;
      XmlBuffer message = new XmlBuffer(USUAL_MESSAGE_BYTES);
      remote.writeTo(message, call);
      Limits.check("the request message", message.length(), Limits.REQUEST_BYTES, "bytes");
      return endpoint.post(call, message, deadline, remote::read);
    }

    @Override
    public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
      return ask(RemoteCall.add(request), call);
    }

    @Override
    public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      return ask(RemoteCall.list(request), call);
    }

    @Override
    public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
      return ask(RemoteCall.subtree(request), call);
    }

    @Override
    public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
      return ask(RemoteCall.query(request), call);
    }

    @Override
    public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
      return ask(RemoteCall.update(request), call);
    }

    @Override
    public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
      return ask(RemoteCall.remove(request), call);
    }

    @Override
    public void close() {
      SoapNameService.this.close();
    }
  }
}
