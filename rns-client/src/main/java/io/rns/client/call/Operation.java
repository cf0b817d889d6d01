package io.rns.client.call;

import io.rns.api.CallContext;

/** One operation with its request, which can be asked of any server. */
public interface Operation<A> {
  /** Asks it of one server; it ends, with an answer or an error, at the deadline. */
  A at(BoundedNameService server, Deadline deadline, CallContext call);
}
