package io.rns.loadtest.pool;

import java.io.IOException;

/** Decides which server gets a request, and sends it. Safe for use by many threads. */
interface Balancer {
  /**
   * Sends a request and waits for the answer.
   *
   * @param nanos what it takes at a server of ordinary speed
   * @throws IOException if it was not answered
   */
  void send(long nanos) throws IOException;
}
