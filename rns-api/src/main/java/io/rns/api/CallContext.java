package io.rns.api;

import java.util.Optional;

/**
 * What accompanies a request.
 *
 * @param caller who is asking
 * @param requestId makes a write repeatable; ignored by reads
 * @param consistency how much of what was written a read must see; ignored by writes
 * @param seen the last position that the caller has seen of an answer
 * @param routing what is to be done where another server has to answer
 */
public record CallContext(
    Caller caller, Optional<RequestId> requestId, Consistency consistency, Optional<Position> seen, Routing routing) {
  /** Nobody in particular, not repeatable, who has seen nothing. */
  public static final CallContext ANONYMOUS = new CallContext(Caller.ANONYMOUS, Optional.empty());

  /** A caller who has seen nothing yet. */
  public CallContext(Caller caller, Optional<RequestId> requestId) {
    this(caller, requestId, Consistency.SESSION, Optional.empty(), Routing.FORWARD);
  }

  /** The same caller with a request id. */
  public CallContext with(RequestId id) {
    return new CallContext(caller, Optional.of(id), consistency, seen, routing);
  }

  /** The same caller with another consistency of reads. */
  public CallContext with(Consistency other) {
    return new CallContext(caller, requestId, other, seen, routing);
  }

  /** The same caller, who has seen a position. */
  public CallContext withSeen(Position position) {
    return new CallContext(caller, requestId, consistency, Optional.of(position), routing);
  }

  /** The same caller with another routing. */
  public CallContext with(Routing other) {
    return new CallContext(caller, requestId, consistency, seen, other);
  }
}
