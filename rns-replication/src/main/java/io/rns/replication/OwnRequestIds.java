package io.rns.replication;

import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.RequestId;
import io.rns.operator.OperatorKey;
import java.util.Optional;

/**
 * The request ids of callers who have a name, in the form in which the servers of a group pass them on: of the id, the
 * name and the secret of the group. So a write is known again at whichever server it is repeated, though only the
 * server that was asked knows its caller, and nobody else can take the id. Thread-safe.
 */
final class OwnRequestIds {
  private final OperatorKey key;

  OwnRequestIds(String secret) {
    this.key = new OperatorKey(secret);
  }

  /** A write as the servers of the group know it, where its id alone tells whose it is. */
  CallContext passedOn(CallContext call) {
    if (call.caller().name().isEmpty() || call.requestId().isEmpty()) {
      return call;
    }
    RequestId own = new RequestId(key.ownId(call.caller().name(), call.requestId().get().text()));
    return new CallContext(Caller.ANONYMOUS, Optional.of(own), call.consistency(), call.seen(), call.routing());
  }
}
