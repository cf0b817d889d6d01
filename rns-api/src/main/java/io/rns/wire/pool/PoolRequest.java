package io.rns.wire.pool;

import io.rns.pool.PoolService;
import io.rns.wire.FaultTable;
import io.rns.wire.Request;
import io.rns.xml.XmlBuffer;

/**
 * A request about server pools.
 *
 * @param <I> the content of the request
 * @param <O> the result of a success
 * @param codec the operation
 * @param item the content of the request
 */
public record PoolRequest<I, O>(PoolOperationCodec<I, O> codec, I item) implements Request {
  @Override
  public FaultTable faults() {
    return codec.faults();
  }

  /** Executes the request. */
  public O ask(PoolService pools) {
    return codec.call(pools, item);
  }

  /** Appends the payload of the response. */
  public void writeResponse(XmlBuffer out, O result) {
    codec.writeResponse(out, result);
  }
}
