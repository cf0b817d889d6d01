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
import io.rns.client.http.HttpConnection;
import io.rns.client.http.HttpEndpoint;
import io.rns.client.message.MessageForm;
import io.rns.client.message.RemoteCall;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.PoolService;
import io.rns.xml.XmlBuffer;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Asks in RNS 1.1 with our extensions as long as the server answers with them, and another way if it does not.
 *
 * <p>What is known is known of a connection, since a server that is replaced by another breaks its connections. The
 * first message on each is one that means nothing to other servers, so what they answer teaches the difference and what
 * it asks for cannot be misunderstood; a server of ours does it. Who is once found foreign stays it until he cannot be
 * reached.
 */
final class LearningNameService implements BoundedNameService {
  private static final int USUAL_MESSAGE_BYTES = 1_024;

  private final HttpEndpoint endpoint;
  private final Duration requestTimeout;
  private final BoundedNameService plain;
  private final ReferralKeeper referrals;
  private volatile boolean foreign;

  /**
   * A service that knows nothing of its server yet.
   *
   * @param plain asks a server without our extensions
   * @param referrals the servers' reports of their group
   */
  LearningNameService(
      HttpEndpoint endpoint, Duration requestTimeout, BoundedNameService plain, ReferralKeeper referrals) {
    this.referrals = referrals;
    this.endpoint = endpoint;
    this.requestTimeout = requestTimeout;
    this.plain = plain;
  }

  @Override
  public NameService until(Deadline deadline) {
    return new Attempt(deadline);
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
    plain.close();
    endpoint.close();
  }

  /** A call as the message whose form depends on what is known of the connection. */
  private static <A> HttpConnection.Post<Optional<Answer<A>>> post(
      HttpConnection connection, Function<MessageForm, RemoteCall<A>> forms, CallContext call) {
    boolean extended = connection.isOfExtended();
    RemoteCall<A> remote =
        forms.apply(extended ? MessageForm.RNS_1_1 : MessageForm.UNMISTAKABLE).explaining(call);
    XmlBuffer message = new XmlBuffer(USUAL_MESSAGE_BYTES);
    remote.writeTo(message, call);
    Limits.check("the request message", message.length(), Limits.REQUEST_BYTES, "bytes");
    return new HttpConnection.Post<>(
        call, message,
        extended ? body -> Optional.of(remote.read(body)) : body -> firstAnswer(connection, remote, body));
  }

  private static <A> Optional<Answer<A>> firstAnswer(
      HttpConnection connection, RemoteCall<A> remote, InputStream body) {
    Optional<Answer<A>> answer = remote.readIfExtended(body);
    if (answer.isPresent()) {
      connection.foundExtended();
    }
    return answer;
  }

  private final class Attempt implements NameService {
    private final Deadline deadline;

    Attempt(Deadline deadline) {
      this.deadline = deadline;
    }

    private <A> Answer<A> ask(
        CallContext call, Function<MessageForm, RemoteCall<A>> forms, Function<NameService, Answer<A>> otherwise) {
      if (!foreign) {
        Function<MessageForm, RemoteCall<A>> remote =
            referrals.claim() ? form -> referrals.asking(forms.apply(form)) : forms;
        Optional<Answer<A>> answer =
            endpoint.post(deadline.butWithin(requestTimeout), connection -> post(connection, remote, call));
        if (answer.isPresent()) {
          return answer.get();
        }
        foreign = true;
      }
      try {
        return otherwise.apply(plain.until(deadline));
      } catch (RnsException e) {
        // Whoever answers at this address next may be another server.
        foreign = e.error() != RnsError.UNAVAILABLE;
        throw e;
      }
    }

    @Override
    public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
      return ask(call, form -> RemoteCall.add(request, form), other -> other.add(call, request));
    }

    @Override
    public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      return ask(call, form -> RemoteCall.list(request, form), other -> other.list(call, request));
    }

    @Override
    public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
      return ask(call, form -> RemoteCall.subtree(request), other -> other.subtree(call, request));
    }

    @Override
    public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
      return ask(call, form -> RemoteCall.query(request, form), other -> other.query(call, request));
    }

    @Override
    public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
      return ask(call, form -> RemoteCall.update(request, form), other -> other.update(call, request));
    }

    @Override
    public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
      return ask(call, form -> RemoteCall.remove(request, form), other -> other.remove(call, request));
    }

    @Override
    public void close() {
      LearningNameService.this.close();
    }
  }
}
