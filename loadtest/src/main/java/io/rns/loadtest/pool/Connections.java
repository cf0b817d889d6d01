package io.rns.loadtest.pool;

/** A user's connections to simulated servers. Safe for use by many threads. */
interface Connections extends Balancer.Sender, AutoCloseable {
  @Override
  void close();
}
