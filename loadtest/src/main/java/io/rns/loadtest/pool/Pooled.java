package io.rns.loadtest.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.client.pool.PoolSession;
import io.rns.client.pool.PoolUser;
import java.io.IOException;
import java.net.URI;

/** A user of production: resolves the pool, keeps what it got, chooses by the policy, and fails over. */
final class Pooled implements Balancer {
  private final PoolUser user;
  private final RnsPath handle;
  private final Connections connections;

  Pooled(PoolUser user, RnsPath handle, Connections connections) {
    this.user = user;
    this.handle = handle;
    this.connections = connections;
  }

  static int port(EndpointReference endpoint) {
    return URI.create(endpoint.address()).getPort();
  }

  @Override
  public void send(long nanos) throws IOException {
    PoolSession session = user.session(handle);
    boolean unused =
        session.call(
            element -> {
              connections.request(port(element.endpoint()), nanos);
              return true;
            });
  }
}
