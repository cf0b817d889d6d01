package io.rns.loadtest.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.client.pool.ElementBusyException;
import io.rns.client.pool.PoolUser;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Decides which server gets a request, and sends it. Safe for use by many threads. */
interface Balancer {
  /** Sends a request of {@code nanos} at a server of ordinary speed, and waits for the answer. */
  void send(long nanos) throws IOException;

  interface Sender {
    void send(int port, long nanos) throws IOException;
  }

  /** A user of production: resolves the pool, caches the resolution, chooses by the pool's policy, and fails over. */
  static Balancer pooled(PoolUser user, RnsPath handle, Sender sender) {
    return nanos -> {
      boolean unused = user.session(handle).call(element -> {
        sender.send(port(element.endpoint()), nanos);
        return true;
      });
    };
  }

  /**
   * The registrar decides for every single request, as a balancer in front of the servers does, and a request that is
   * turned away is lost. While no server has a free place, as far as the registrar knows, the request waits for a
   * while.
   */
  static Balancer dispatched(PoolService pools, RnsPath handle, Sender sender) {
    return nanos -> sender.send(port(choose(pools, handle).elements().get(0).endpoints().get(0)), nanos);
  }

  private static PoolResolution choose(PoolService pools, RnsPath handle) throws IOException {
    long deadline = System.nanoTime() + Duration.ofMillis(100).toNanos();
    while (true) {
      try {
        return pools.resolve(handle, 1);
      } catch (RnsException e) {
        if (e.error() != RnsError.BUSY || System.nanoTime() - deadline > 0) {
          throw new ElementBusyException(String.valueOf(e.getMessage()), Duration.ZERO);
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  private static int port(EndpointReference endpoint) {
    return URI.create(endpoint.address()).getPort();
  }

  /**
   * What many load balancers do: the server with the fewest requests of this user, in turn among equals. It knows
   * nothing of pools and does not notice failures; a server that fails at once looks idle.
   */
  final class LeastConnections implements Balancer {
    private final List<SimulatedServer> servers;
    private final Sender sender;
    private final int[] inFlight;
    private int turn;

    LeastConnections(List<SimulatedServer> servers, Sender sender) {
      this.servers = List.copyOf(servers);
      this.sender = sender;
      this.inFlight = new int[servers.size()];
    }

    @Override
    public void send(long nanos) throws IOException {
      int chosen = begin();
      try {
        sender.send(servers.get(chosen).port(), nanos);
      } finally {
        end(chosen);
      }
    }

    private synchronized int begin() {
      int best = turn;
      for (int i = 1; i < inFlight.length; i++) {
        int next = (turn + i) % inFlight.length;
        best = inFlight[next] < inFlight[best] ? next : best;
      }
      turn = (best + 1) % inFlight.length;
      inFlight[best]++;
      return best;
    }

    private synchronized void end(int server) {
      inFlight[server]--;
    }
  }
}
