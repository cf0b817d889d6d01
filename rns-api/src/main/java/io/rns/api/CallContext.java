package io.rns.api;

import java.util.Optional;

/**
 * The context of a request.
 *
 * @param caller the identity of the client
 * @param requestId makes a write safe to retry; ignored by reads
 * @param consistency how recent a read must be; ignored by writes
 * @param seen the latest position that the client has received of each server group
 * @param routing what to do if another server has to answer
 */
public record CallContext(
    Caller caller, Optional<RequestId> requestId, Consistency consistency, Positions seen, Routing routing) {
  /** The anonymous caller, without a request id or a seen position. */
  public static final CallContext ANONYMOUS = new CallContext(Caller.ANONYMOUS, Optional.empty());

  /** A caller with session consistency, forwarding and no seen position. */
  public CallContext(Caller caller, Optional<RequestId> requestId) {
    this(caller, requestId, Consistency.SESSION, Positions.NONE, Routing.FORWARD);
  }

  /** Returns a copy with a request id. */
  public CallContext with(RequestId id) {
    return new CallContext(caller, Optional.of(id), consistency, seen, routing);
  }

  /** Returns a copy with another read consistency. */
  public CallContext with(Consistency other) {
    return new CallContext(caller, requestId, other, seen, routing);
  }

  /** Returns a copy that has seen the position of one group only. */
  public CallContext withSeen(Position position) {
    return withSeen(Positions.of(position));
  }

  /** Returns a copy with other seen positions. */
  public CallContext withSeen(Positions positions) {
    return new CallContext(caller, requestId, consistency, positions, routing);
  }

  /** Returns a copy with another routing. */
  public CallContext with(Routing other) {
    return new CallContext(caller, requestId, consistency, seen, other);
  }
}
