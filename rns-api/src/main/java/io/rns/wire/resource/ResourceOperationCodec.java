package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.wire.OperationCodec;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlPull;

/**
 * An operation on one directory or iterator as a resource, with one result: its properties, end or reference.
 *
 * @param <I> the content of a request
 * @param <O> the result of a success
 */
public interface ResourceOperationCodec<I, O> extends OperationCodec<I, O> {
  /** Whether the caller's reference to the resource is out of date and the request is for a new one. */
  default boolean renews() {
    return false;
  }

  @Override
  default boolean takesIterator() {
    return true;
  }

  @Override
  default Request request(XmlPull pull, RequestFrame frame) {
    return new ResourceRequest<>(this, readRequest(pull, frame));
  }

  /** Executes the request. */
  Answer<Outcome<O>> call(Resources resources, CallContext call, I item);
}
