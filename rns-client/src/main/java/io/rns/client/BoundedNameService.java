package io.rns.client;

import io.rns.api.NameService;

/** A name service whose calls can be given a time at which they end. */
interface BoundedNameService extends AutoCloseable {
  /** The service with calls that end, with an answer or an error, at {@code deadline}. */
  NameService until(Deadline deadline);

  /** Whether it can be asked: not closed. */
  boolean isOpen();

  @Override
  void close();
}
