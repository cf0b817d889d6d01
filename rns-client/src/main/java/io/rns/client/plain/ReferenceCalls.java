package io.rns.client.plain;

import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.client.call.Deadline;
import io.rns.client.call.ExchangeFailure;
import io.rns.client.call.Ticker;
import io.rns.client.http.HttpEndpoint;
import io.rns.client.http.HttpEndpoints;
import io.rns.client.message.ReferenceParts;
import io.rns.client.message.StandardCall;
import io.rns.client.message.StandardCall.Result;
import io.rns.client.message.StandardFault;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Calls to endpoint references, which are renewed where they lead nowhere any more (WS-Naming): after a failure to
 * connect, no answer in time, HTTP 404, 410, 502 and 503, an unknown or unavailable resource, and at once for the
 * address that says it is unbound. A write is asked again only if the first server certainly has not done it.
 */
final class ReferenceCalls {
  /** The address of references that only resolvers can complete. */
  private static final String UNBOUND = "http://10.0.0.1/UNBOUND_ADDRESS";

  private static final int USUAL_MESSAGE_BYTES = 1_024;

  private final HttpEndpoints endpoints;
  private final Duration requestTimeout;
  private final Renewals renewals;

  ReferenceCalls(HttpEndpoints endpoints, Duration requestTimeout, Ticker ticker) {
    this.endpoints = endpoints;
    this.requestTimeout = requestTimeout;
    this.renewals = new Renewals(this, ticker);
  }

  /**
   * Asks the resource of a reference.
   *
   * @throws RnsException as {@link HttpEndpoint#post} does, and {@link RnsError#INVALID_REQUEST} for an address that is
   *         not one of http or https
   */
  <A> Result<A> ask(EndpointReference reference, StandardCall<A> call, Deadline deadline) {
    ReferenceParts parts = ReferenceParts.of(reference);
    EndpointReference current = renewals.known(parts).orElse(reference);
    try {
      Result<A> result = once(current, call, deadline.butWithin(requestTimeout));
      if (!(result instanceof Result.Failed<A> failed) || !isOfReference(failed.fault())) {
        return result;
      }
      Optional<EndpointReference> fresh = renewals.renew(parts, current, deadline);
      return fresh.isPresent() ? once(fresh.get(), call, deadline.butWithin(requestTimeout)) : result;
    } catch (RnsException e) {
      Optional<EndpointReference> fresh =
          isOfReference(e, call.writes()) ? renewals.renew(parts, current, deadline) : Optional.empty();
      if (fresh.isEmpty()) {
        throw e;
      }
      return again(fresh.get(), call, deadline, e);
    }
  }

  private <A> Result<A> again(
      EndpointReference fresh, StandardCall<A> call, Deadline deadline, RnsException first) {
    try {
      return once(fresh, call, deadline.butWithin(requestTimeout));
    } catch (RnsException e) {
      e.addSuppressed(first);
      throw e;
    }
  }

  private static boolean isOfReference(StandardFault fault) {
    return switch (fault.kind()) {
      case RESOURCE_UNKNOWN, RESOURCE_UNAVAILABLE -> true;
      case NOT_PERMITTED, NOT_DESTROYED, RESOLVE_FAILED, OTHER -> false;
    };
  }

  private static boolean isOfReference(RnsException e, boolean writes) {
    if (writes) {
      return ExchangeFailure.leftNothing(e);
    }
    boolean passing = e.error() == RnsError.UNAVAILABLE || e.error() == RnsError.TIMEOUT;
    boolean failed = e.getCause() instanceof IOException && !ExchangeFailure.isStatus(e);
    return passing && (failed || ExchangeFailure.isOfAddress(e));
  }

  /** One message to one reference as it is. */
  <A> Result<A> once(EndpointReference reference, StandardCall<A> call, Deadline deadline) {
    if (reference.address().equals(UNBOUND)) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "the reference has the unbound address " + UNBOUND + ", and no resolver for another one",
          ExchangeFailure.notSent(new IOException(UNBOUND)));
    }
    XmlBuffer message = new XmlBuffer(USUAL_MESSAGE_BYTES);
    String id = "urn:uuid:" + UUID.randomUUID();
    call.writeTo(message, reference.address(), ReferenceParts.of(reference), id);
    return endpoints.use(reference.address(),
        endpoint -> endpoint.post(CallContext.ANONYMOUS, message, deadline, call::read));
  }
}
