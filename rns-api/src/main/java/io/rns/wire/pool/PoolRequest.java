package io.rns.wire.pool;

import io.rns.pool.PoolService;
import io.rns.wire.FaultTable;
import io.rns.wire.Request;
import io.rns.xml.XmlBuffer;

/**
 * A request about server pools as it was read.
 *
 * @param <I> what is asked
 * @param <O> what a success gives
 * @param codec the operation
 * @param item what is asked
 */
public record PoolRequest<I, O>(PoolOperationCodec<I, O> codec, I item) implements Request {
  @Override
  public FaultTable faults() {
    return codec.faults();
  }

  /** Asks for it. */
  public O ask(PoolService pools) {
    return codec.call(pools, item);
  }

  /** Appends the payload of the answer. */
  public void writeResponse(XmlBuffer out, O result) {
    codec.writeResponse(out, result);
  }
}
