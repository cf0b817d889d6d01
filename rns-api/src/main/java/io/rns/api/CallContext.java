package io.rns.api;

import java.util.Optional;

/**
 * The context of a request.
 *
 * @param caller the identity of the client
 * @param requestId makes a write safe to retry; ignored by reads
 * @param consistency how recent a read must be; ignored by writes
 * @param seen the latest position the client has received
 * @param routing what to do if another server has to answer
 */
public record CallContext(
    Caller caller, Optional<RequestId> requestId, Consistency consistency, Optional<Position> seen, Routing routing) {
  /** The anonymous caller, without a request id or a seen position. */
  public static final CallContext ANONYMOUS = new CallContext(Caller.ANONYMOUS, Optional.empty());

  /** A caller with session consistency, forwarding and no seen position. */
  public CallContext(Caller caller, Optional<RequestId> requestId) {
    this(caller, requestId, Consistency.SESSION, Optional.empty(), Routing.FORWARD);
  }

  /** Returns a copy with a request id. */
  public CallContext with(RequestId id) {
    return new CallContext(caller, Optional.of(id), consistency, seen, routing);
  }

  /** Returns a copy with another read consistency. */
  public CallContext with(Consistency other) {
    return new CallContext(caller, requestId, other, seen, routing);
  }

  /** Returns a copy with another seen position. */
  public CallContext withSeen(Position position) {
    return new CallContext(caller, requestId, consistency, Optional.of(position), routing);
  }

  /** Returns a copy with another routing. */
  public CallContext with(Routing other) {
    return new CallContext(caller, requestId, consistency, seen, other);
  }
}
