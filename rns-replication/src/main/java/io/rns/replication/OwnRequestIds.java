package io.rns.replication;

import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.RequestId;
import io.rns.operator.OperatorKey;
import java.util.Optional;

/**
 * Derives the request ids under which the servers of a group forward writes of named callers: from the id, the caller's
 * name and the group's secret. A repeated write is thus recognised on any server, though only the server that received
 * it knows its caller, and no other caller can use the id. Thread-safe.
 */
final class OwnRequestIds {
  private final OperatorKey key;

  OwnRequestIds(String secret) {
    this.key = new OperatorKey(secret);
  }

  /** A write as forwarded to other servers, where its request id alone identifies the caller. */
  CallContext passedOn(CallContext call) {
    if (call.caller().name().isEmpty() || call.requestId().isEmpty()) {
      return call;
    }
    RequestId own = new RequestId(key.ownId(call.caller().name(), call.requestId().get().text()));
    return new CallContext(
        Caller.ANONYMOUS, Optional.of(own), call.consistency(), call.seen(), call.routing(), call.hops(),
        call.explanation());
  }
}
