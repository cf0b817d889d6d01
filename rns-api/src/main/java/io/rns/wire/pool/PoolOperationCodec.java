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
 * An operation on server pools. The element itself names the pool; headers and URL of the message name no target.
 *
 * @param <I> the content of a request
 * @param <O> the result of a success
 */
public interface PoolOperationCodec<I, O> extends OperationCodec<I, O> {
  @Override
  default Request request(XmlPull pull, RequestFrame frame) {
    return new PoolRequest<>(this, readRequest(pull, frame));
  }

  /** Executes the request. */
  O call(PoolService pools, I item);

  /** Appends a request element. */
  void writeRequest(XmlBuffer out, I item);

  /** Appends a response element. */
  void writeResponse(XmlBuffer out, O result);

  /** Reads a request element, independently of the rest of the message. */
  I readRequest(XmlPull pull);

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
