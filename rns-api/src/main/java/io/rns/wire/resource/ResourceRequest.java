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
 * A request about one resource as it was read.
 *
 * @param <I> what is asked
 * @param <O> what a success gives
 * @param codec the operation
 * @param item what is asked
 */
public record ResourceRequest<I, O>(ResourceOperationCodec<I, O> codec, I item) implements Request {
  @Override
  public FaultTable faults() {
    return codec.faults();
  }

  /** Whether who asks has lost the way to the resource and wants another. */
  public boolean renews() {
    return codec.renews();
  }

  /** Asks for it. */
  public Answer<Outcome<O>> ask(Resources resources, CallContext call) {
    return codec.call(resources, call, item);
  }

  /** Appends the payload of the answer. */
  public void writeResponse(XmlBuffer out, O result, ReplyForm form) {
    codec.writeResponse(out, result, form, Place.PAYLOAD);
  }
}
