package io.rns.loadtest.pool;

import java.io.IOException;
import java.util.List;

/**
 * What many load balancers do: the server with the fewest requests of this user, in turn among equals. It knows nothing
 * of pools and does not notice failures; a server that fails at once looks idle.
 */
final class LeastConnections implements Balancer {
  private final List<SimulatedServer> servers;
  private final Connections connections;
  private final int[] inFlight;
  private int turn;

  LeastConnections(List<SimulatedServer> servers, Connections connections) {
    this.servers = List.copyOf(servers);
    this.connections = connections;
    this.inFlight = new int[servers.size()];
  }

  @Override
  public void send(long nanos) throws IOException {
    int chosen = begin();
    try {
      connections.request(servers.get(chosen).port(), nanos);
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
