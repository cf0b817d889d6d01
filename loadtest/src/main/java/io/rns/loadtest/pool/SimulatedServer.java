package io.rns.loadtest.pool;

import io.rns.client.pool.Admission;

/** A server at a port of its own that does nothing but take its time. */
interface SimulatedServer extends AutoCloseable {
  int port();

  /** The places that it reports. */
  Admission admission();

  /** How many requests have come, also those that were turned away or broken off. */
  long requests();

  @Override
  void close();
}
