package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The context of a request.
 *
 * @param caller the identity of the client
 * @param requestId makes a write safe to retry; ignored by reads
 * @param consistency how recent a read must be; ignored by writes
 * @param seen the latest position that the client has received of each server group
 * @param routing what to do if another server has to answer
 * @param hops the number of server groups that passed the request on to another one
 * @param explanation collects the way of the request, if that is wanted
 * @param origin where a request of the anonymous caller comes from, such as the address of its client; empty if
 *        unknown. Says whose share of a busy server it takes, and proves nothing
 */
public record CallContext(
    Caller caller, Optional<RequestId> requestId, Consistency consistency, Positions seen, Routing routing, int hops,
    Optional<Explanation> explanation, String origin) {
  /** The anonymous caller, without a request id or a seen position. */
  public static final CallContext ANONYMOUS = new CallContext(Caller.ANONYMOUS, Optional.empty());

  /** A request of the service itself, without a request id. */
  public static final CallContext SERVICE = new CallContext(Caller.SERVICE, Optional.empty());

  /** A request that comes from its client. */
  public CallContext(
      Caller caller, Optional<RequestId> requestId, Consistency consistency, Positions seen, Routing routing) {
    this(caller, requestId, consistency, seen, routing, 0, Optional.empty(), "");
  }

  /** A caller with session consistency, forwarding and no seen position. */
  public CallContext(Caller caller, Optional<RequestId> requestId) {
    this(caller, requestId, Consistency.SESSION, Positions.NONE, Routing.FORWARD);
  }

  /** Returns a copy with a request id. */
  public CallContext with(RequestId id) {
    return new CallContext(caller, Optional.of(id), consistency, seen, routing, hops, explanation, origin);
  }

  /** Returns a copy with another read consistency. */
  public CallContext with(Consistency other) {
    return new CallContext(caller, requestId, other, seen, routing, hops, explanation, origin);
  }

  /** Returns a copy that has seen the position of one group only. */
  public CallContext withSeen(Position position) {
    return withSeen(Positions.of(position));
  }

  /** Returns a copy with other seen positions. */
  public CallContext withSeen(Positions positions) {
    return new CallContext(caller, requestId, consistency, positions, routing, hops, explanation, origin);
  }

  /** Returns a copy with another routing. */
  public CallContext with(Routing other) {
    return new CallContext(caller, requestId, consistency, seen, other, hops, explanation, origin);
  }

  /** Returns a copy that comes from an origin. */
  public CallContext from(String other) {
    return new CallContext(caller, requestId, consistency, seen, routing, hops, explanation, other);
  }

  /**
   * Whose share of a busy server the request takes: the name of the caller, or the origin of an anonymous one after a
   * line end, with which no name begins.
   */
  public String account() {
    return account(caller, origin);
  }

  /** The same for a request whose context is not known yet. */
  public static String account(Caller caller, String origin) {
    return caller.name().isEmpty() ? "\n" + origin : caller.name();
  }

  /** Returns a copy whose way is explained. */
  public CallContext with(Explanation collected) {
    return new CallContext(caller, requestId, consistency, seen, routing, hops, Optional.of(collected), origin);
  }

  /** Returns a copy for a part of the request whose paths begin at a depth of its own ones. */
  public CallContext below(int depth) {
    return explanation.isEmpty() || depth == 0 ? this : with(explanation.get().below(depth));
  }

  /** Adds what this side did to the explanation, if one is wanted. */
  public void explain(Supplier<HopStep> step) {
    if (explanation.isPresent()) {
      explanation.get().add(step.get());
    }
  }

  /**
   * Returns a copy that goes to another server group.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} after {@value Limits#HOPS} hops: the groups send it in a circle
   */
  public CallContext toOtherGroup() {
    if (hops >= Limits.HOPS) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "the request was passed on by " + hops + " server groups; they do not agree who owns the directory");
    }
    return new CallContext(caller, requestId, consistency, seen, routing, hops + 1, explanation, origin);
  }
}
