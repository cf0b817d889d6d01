package io.rns.client.call;

import io.rns.api.NameService;
import io.rns.pool.PoolService;

/** A name service whose calls can be given a time at which they end. */
public interface BoundedNameService extends AutoCloseable {
  /** The service with calls that end, with an answer or an error, at {@code deadline}. */
  NameService until(Deadline deadline);

  /** The pools of the server, with calls that end at {@code deadline}. */
  default PoolService pools(Deadline deadline) {
    return new NoPools("the server is called by the standards only, which have no pools");
  }

  /** Whether it can be asked: not closed. */
  boolean isOpen();

  @Override
  void close();
}
