package io.rns.loadtest.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.client.pool.ElementBusyException;
import io.rns.client.pool.PoolUser;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.PoolService;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Decides which server gets a request, and sends it. Safe for use by many threads. */
interface Balancer {
  /**
   * Sends a request of {@code nanos} at a server of ordinary speed, and waits for the whole answer.
   *
   * @return when its first byte came, by {@link System#nanoTime}
   * @throws ElementBusyException if the request was turned away
   * @throws IOException if it failed
   */
  long send(long nanos) throws IOException;

  /** Sends to a server; the same, except that it does not choose. */
  interface Sender {
    long send(int port, long nanos) throws IOException;
  }

  /** A user of production: resolves the pool, caches the resolution, chooses by the pool's policy, and fails over. */
  static Balancer pooled(PoolUser user, RnsPath handle, Sender sender) {
    return nanos -> user.session(handle).call(element -> sender.send(port(element.endpoint()), nanos));
  }

  /** The registrar decides for every single request, as a balancer in front of the servers does. */
  static Balancer dispatched(PoolService pools, RnsPath handle, Sender sender) {
    return nanos -> sender.send(port(choose(pools, handle)), nanos);
  }

  private static EndpointReference choose(PoolService pools, RnsPath handle) throws IOException {
    try {
      return pools.resolve(handle, 1).elements().get(0).endpoints().get(0);
    } catch (RnsException e) {
      if (e.error() != RnsError.BUSY) {
        throw e;
      }
      throw new ElementBusyException(String.valueOf(e.getMessage()), Duration.ZERO);
    }
  }

  /** Another one that is asked again, for at most as long, while it turns a request away. */
  static Balancer patient(Balancer other, Duration most) {
    return nanos -> {
      long deadline = System.nanoTime() + most.toNanos();
      while (true) {
        try {
          return other.send(nanos);
        } catch (ElementBusyException e) {
          if (System.nanoTime() - deadline > 0) {
            throw e;
          }
        }
        LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
      }
    };
  }

  private static int port(EndpointReference endpoint) {
    return URI.create(endpoint.address()).getPort();
  }
}
