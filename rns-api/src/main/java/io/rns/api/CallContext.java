package io.rns.api;

import java.util.Optional;

/**
 * What accompanies a request.
 *
 * @param caller who is asking
 * @param requestId makes a write repeatable; ignored by reads
 */
public record CallContext(Caller caller, Optional<RequestId> requestId) {
  /** Nobody in particular, not repeatable. */
  public static final CallContext ANONYMOUS = new CallContext(Caller.ANONYMOUS, Optional.empty());

  /** The same caller with a request id. */
  public CallContext with(RequestId id) {
    return new CallContext(caller, Optional.of(id));
  }
}
