package io.rns.client;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.RnsPath;
import io.rns.client.call.Deadline;
import io.rns.client.http.HttpEndpoint;
import io.rns.client.message.PoolCalls;
import io.rns.client.message.RemoteCall;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.xml.XmlBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Asks a server about its pools with one SOAP message per call, which means nothing to servers of other makes.
 *
 * @param endpoint the server
 * @param deadline when each call ends
 */
record SoapPools(HttpEndpoint endpoint, Deadline deadline) implements PoolService {
  private static final int USUAL_MESSAGE_BYTES = 1_024;

  private <A> A ask(RemoteCall<A> remote) {
    XmlBuffer message = new XmlBuffer(USUAL_MESSAGE_BYTES);
    remote.writeTo(message, CallContext.ANONYMOUS);
    Limits.check("the request message", message.length(), Limits.REQUEST_BYTES, "bytes");
    Optional<Answer<A>> answer = endpoint.post(CallContext.ANONYMOUS, message, deadline, remote::readIfExtended);
    return answer.map(Answer::value).orElseThrow(this::foreign);
  }

  private RnsException foreign() {
    return new RnsException(
        RnsError.UNKNOWN_OPERATION,
        endpoint.uri() + " has no pools: it lacks our extensions");
  }

  @Override
  public Registered register(RnsPath handle, PolicyType policy, Registration registration) {
    return ask(PoolCalls.register(handle, policy, registration));
  }

  @Override
  public boolean deregister(RnsPath handle, int id) {
    return ask(PoolCalls.deregister(handle, id));
  }

  @Override
  public PoolResolution resolve(RnsPath handle, int items) {
    return ask(PoolCalls.resolve(handle, items));
  }

  @Override
  public void unreachable(RnsPath handle, int id) {
    boolean unused = ask(PoolCalls.unreachable(handle, id));
  }

  @Override
  public void experienced(RnsPath handle, List<ElementExperience> experiences) {
    boolean unused = ask(PoolCalls.experienced(handle, experiences));
  }

  @Override
  public PoolPage pools(PoolsRequest request) {
    return ask(PoolCalls.pools(request));
  }

  @Override
  public ElementPage elements(ElementsRequest request) {
    return ask(PoolCalls.elements(request));
  }
}
