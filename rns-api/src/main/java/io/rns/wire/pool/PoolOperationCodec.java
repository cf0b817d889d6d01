package io.rns.wire.pool;

import io.rns.api.Target;
import io.rns.pool.PoolService;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;

/**
 * An operation on server pools. Its element names the pool itself; the headers and the URL of the message name no
 * target.
 *
 * @param <I> what is asked
 * @param <O> what a success gives
 */
public interface PoolOperationCodec<I, O> extends OperationCodec<I, O> {
  @Override
  default Request request(XmlPull pull, RequestFrame frame) {
    return new PoolRequest<>(this, readRequest(pull, frame));
  }

  /** Asks for it. */
  O call(PoolService pools, I item);

  /** Appends a request element. */
  void writeRequest(XmlBuffer out, I item);

  /** Appends an answer element. */
  void writeResponse(XmlBuffer out, O result);

  /** Reads a request element, without a look at what else the message says. */
  I readRequest(XmlPull pull);

  /** The service as a whole. */
  @Override
  default Target target(I item) {
    return Target.ROOT;
  }

  @Override
  default String action() {
    return Namespaces.EXT + ":" + responseElement();
  }

  @Override
  default void writeRequest(XmlBuffer out, I item, Place place) {
    writeRequest(out, item);
  }

  @Override
  default void writeResponse(XmlBuffer out, O result, ReplyForm form, Place place) {
    writeResponse(out, result);
  }

  @Override
  default I readRequest(XmlPull pull, RequestFrame frame) {
    PoolParts.noTarget(frame, element());
    return readRequest(pull);
  }
}
