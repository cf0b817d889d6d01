package io.rns.loadtest.jmeter;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Connections that the threads of a test share: one for each server or group of servers, open while one of them needs
 * it.
 */
final class SamplerConnections {
  /** More than there are threads in a test, so that none waits in the client. */
  private static final int MOST_CALLS = 10_000;

  private final Map<String, Shared> open = new HashMap<>();

  private record Shared(RnsConnection names, int users) {}

  /** One user's hold on a connection, to be closed once. */
  record Lease(String servers, RnsConnection names, SamplerConnections owner) implements AutoCloseable {
    @Override
    public void close() {
      if (owner.isLast(servers)) {
        names.close();
      }
    }
  }

  /**
   * Takes hold of a connection to a server, or to several of one group with commas between their addresses; nothing is
   * sent.
   */
  synchronized Lease take(String servers) {
    Shared shared = open.compute(servers, (any, held) -> held == null
        ? new Shared(connect(servers), 1)
        : new Shared(held.names, held.users + 1));
    return new Lease(servers, shared.names, this);
  }

  synchronized int count() {
    return open.size();
  }

  private synchronized boolean isLast(String servers) {
    return open.computeIfPresent(servers,
        (any, held) -> held.users == 1 ? null : new Shared(held.names, held.users - 1)) == null;
  }

  private static RnsConnection connect(String servers) {
    try {
      URI[] addresses = Arrays.stream(servers.split(",", -1)).map(one -> URI.create(one.trim())).toArray(URI[]::new);
      return RnsClient.builder().servers(addresses).connections(MOST_CALLS).build();
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "server '" + servers + "': " + e.getMessage(), e);
    }
  }
}
