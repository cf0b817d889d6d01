package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.wire.OperationCodec;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlPull;

/**
 * An operation on one directory or iterator as a resource, with one answer: its properties, its end, its reference.
 *
 * @param <I> what is asked
 * @param <O> what a success gives
 */
public interface ResourceOperationCodec<I, O> extends OperationCodec<I, O> {
  /** Whether who asks has lost the way to the resource and wants another. */
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

  /** Asks for it. */
  Answer<Outcome<O>> call(Resources resources, CallContext call, I item);
}
