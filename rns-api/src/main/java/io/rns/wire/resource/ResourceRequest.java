package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.wire.FaultTable;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.xml.XmlBuffer;

/**
 * A request on one resource.
 *
 * @param <I> the content of the request
 * @param <O> the result of a success
 * @param codec the operation
 * @param item the content of the request
 */
public record ResourceRequest<I, O>(ResourceOperationCodec<I, O> codec, I item) implements Request {
  @Override
  public FaultTable faults() {
    return codec.faults();
  }

  /** Whether the caller's reference to the resource is out of date and the request is for a new one. */
  public boolean renews() {
    return codec.renews();
  }

  /** Executes the request. */
  public Answer<Outcome<O>> ask(Resources resources, CallContext call) {
    return codec.call(resources, call, item);
  }

  /** Appends the payload of the response. */
  public void writeResponse(XmlBuffer out, O result, ReplyForm form) {
    codec.writeResponse(out, result, form, Place.PAYLOAD);
  }
}
