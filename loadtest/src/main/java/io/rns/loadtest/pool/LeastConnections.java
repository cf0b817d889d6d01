package io.rns.loadtest.pool;

import io.rns.client.pool.ElementBusyException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What many load balancers do: the server with the fewest requests of this user for its weight, in turn among equals.
 * As nginx does without settings, it leaves a server that failed alone for ten seconds and sends the request to the
 * next one. It knows nothing of pools.
 */
final class LeastConnections implements Balancer {
  private static final long LEFT_ALONE_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int NONE = -1;

  private final List<SimulatedServer> servers;
  private final long[] weights;
  private final Sender sender;
  private final LongSupplier nanoTime;
  private final int[] inFlight;
  private final long[] failed;
  private final boolean[] hasFailed;
  private int turn;

  /**
   * A balancer.
   *
   * @param weights of the servers, at least 1 each
   * @param first the server whose turn is first, so that users do not all begin with the same
   */
  LeastConnections(
      List<SimulatedServer> servers, long[] weights, int first, Sender sender, LongSupplier nanoTime) {
    this.servers = List.copyOf(servers);
    this.weights = weights.clone();
    this.turn = first;
    this.sender = sender;
    this.nanoTime = nanoTime;
    this.inFlight = new int[servers.size()];
    this.failed = new long[servers.size()];
    this.hasFailed = new boolean[servers.size()];
  }

  @Override
  public long send(long nanos) throws IOException {
    boolean[] tried = new boolean[servers.size()];
    IOException last = null;
    for (int chosen = begin(tried); chosen != NONE; chosen = begin(tried)) {
      boolean broken = false;
      try {
        return sender.send(servers.get(chosen).port(), nanos);
      } catch (ElementBusyException e) {
        throw e;
      } catch (IOException e) {
        broken = true;
        last = e;
      } finally {
        end(chosen, broken);
      }
    }
    throw last == null ? new IOException("there are no servers") : last;
  }

  /** The next server for a request that was at some already; of those that failed lately only if all did. */
  private synchronized int begin(boolean[] tried) {
    long now = nanoTime.getAsLong();
    int best = best(tried, now, false);
    if (best == NONE) {
      best = best(tried, now, true);
    }
    if (best != NONE) {
      tried[best] = true;
      turn = (best + 1) % inFlight.length;
      inFlight[best]++;
    }
    return best;
  }

  private int best(boolean[] tried, long now, boolean alsoFailed) {
    int best = NONE;
    for (int i = 0; i < inFlight.length; i++) {
      int next = (turn + i) % inFlight.length;
      boolean leftAlone = hasFailed[next] && now - failed[next] < LEFT_ALONE_NANOS;
      if (!tried[next] && (alsoFailed || !leftAlone)
          && (best == NONE || inFlight[next] * weights[best] < inFlight[best] * weights[next])) {
        best = next;
      }
    }
    return best;
  }

  private synchronized void end(int server, boolean broken) {
    inFlight[server]--;
    if (broken) {
      hasFailed[server] = true;
      failed[server] = nanoTime.getAsLong();
    }
  }
}
