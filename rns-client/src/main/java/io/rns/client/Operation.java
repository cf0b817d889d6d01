package io.rns.client;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.NameService;

/** One of the five operations with its request, which can be asked of any server. */
interface Operation<A> {
  /** Asks it of one server. */
  Answer<A> at(NameService server, CallContext call);
}
