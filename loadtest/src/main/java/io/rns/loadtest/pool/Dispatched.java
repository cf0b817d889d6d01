package io.rns.loadtest.pool;

import io.rns.api.RnsPath;
import io.rns.client.pool.ElementBusyException;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The registrar decides for every single request, as a balancer in front of the servers does, and a request that is
 * turned away is lost. While nobody has a free place, as far as the registrar knows, the request waits for a while.
 */
final class Dispatched implements Balancer {
  private static final Duration HOLD = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(2);

  private final PoolService pools;
  private final RnsPath handle;
  private final Connections connections;

  Dispatched(PoolService pools, RnsPath handle, Connections connections) {
    this.pools = pools;
    this.handle = handle;
    this.connections = connections;
  }

  @Override
  public void send(long nanos) throws IOException {
    PoolResolution chosen = resolve();
    connections.request(Pooled.port(chosen.elements().get(0).endpoints().get(0)), nanos);
  }

  private PoolResolution resolve() throws IOException {
    long deadline = System.nanoTime() + HOLD.toNanos();
    while (true) {
      try {
        return pools.resolve(handle, 1);
      } catch (RnsException e) {
        if (e.error() != RnsError.BUSY || System.nanoTime() - deadline > 0) {
          throw new ElementBusyException(String.valueOf(e.getMessage()), Duration.ZERO);
        }
      }
      try {
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("waiting for a free place");
      }
    }
  }
}
