package io.rns.loadtest.pool;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What Finagle and Linkerd do: of two servers drawn at random the one with the lower product of its requests in flight
 * and its response time, a mean that decays over ten seconds and follows a rise at once. A server of which nothing is
 * known counts as idle until it has a request.
 */
final class PeakEwma implements Balancer {
  private static final double DECAY_NANOS = Duration.ofSeconds(10).toNanos();
  private static final double UNKNOWN_BUSY = 1e12;

  private final List<SimulatedServer> servers;
  private final Sender sender;
  private final LongSupplier nanoTime;
  private final RandomGenerator random;
  private final int[] inFlight;
  private final double[] meanNanos;
  private final long[] changed;

  PeakEwma(List<SimulatedServer> servers, Sender sender, LongSupplier nanoTime, RandomGenerator random) {
    this.servers = List.copyOf(servers);
    this.sender = sender;
    this.nanoTime = nanoTime;
    this.random = random;
    this.inFlight = new int[servers.size()];
    this.meanNanos = new double[servers.size()];
    this.changed = new long[servers.size()];
  }

  @Override
  public long send(long nanos) throws IOException {
    int chosen = begin();
    long from = nanoTime.getAsLong();
    try {
      return sender.send(servers.get(chosen).port(), nanos);
    } finally {
      end(chosen, from);
    }
  }

  private synchronized int begin() {
    int first = random.nextInt(inFlight.length);
    int second = first;
    if (inFlight.length > 1) {
      second = (first + 1 + random.nextInt(inFlight.length - 1)) % inFlight.length;
    }
    int chosen = cost(first) <= cost(second) ? first : second;
    inFlight[chosen]++;
    return chosen;
  }

  private double cost(int server) {
    if (meanNanos[server] == 0) {
      return inFlight[server] == 0 ? 0 : UNKNOWN_BUSY + inFlight[server];
    }
    return meanNanos[server] * (inFlight[server] + 1);
  }

  private synchronized void end(int server, long from) {
    long now = nanoTime.getAsLong();
    double took = now - from;
    inFlight[server]--;
    double kept = Math.exp(-(now - changed[server]) / DECAY_NANOS);
    meanNanos[server] = took > meanNanos[server] ? took : meanNanos[server] * kept + took * (1 - kept);
    changed[server] = now;
  }
}
