package io.rns.loadtest.contest;

import io.rns.api.NameService;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.link.Delay;
import io.rns.loadtest.link.Link;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ways to one server from sites at several distances. */
final class Distances implements AutoCloseable {
  /** Parts of the longest one. */
  private static final double[] PARTS = {0, 0.125, 0.5, 1};

  private final List<Way> ways = new ArrayList<>();

  /**
   * One of them.
   *
   * @param delay in each direction
   * @param server the address of the server over the distance
   * @param client a client there
   */
  record Way(Duration delay, URI server, NameService client, Optional<Link> link) {
    String name() {
      return delay.toMillis() + " ms away";
    }
  }

  /** Opens ways to a server of this machine, without a delay, and up to the longest one. */
  static Distances open(URI server, Duration longest, int connections) {
    Distances distances = new Distances();
    try {
      for (double part : PARTS) {
        distances.add(server, Duration.ofMillis((long) (part * (double) longest.toMillis())), connections);
      }
      return distances;
    } catch (RuntimeException e) {
      distances.close();
      throw e;
    }
  }

  private void add(URI server, Duration delay, int connections) {
    if (delay.isZero()) {
      ways.add(new Way(delay, server, GroupClients.client(server, connections), Optional.empty()));
      return;
    }
    Link link = Io.get("opening a link", () -> Link.open(0, server.getPort(), new Delay(delay, Duration.ZERO)));
    URI over = URI.create("http://127.0.0.1:" + link.port() + server.getPath());
    ways.add(new Way(delay, over, GroupClients.client(over, connections), Optional.of(link)));
  }

  List<Way> ways() {
    return ways;
  }

  @Override
  public void close() {
    for (Way way : ways) {
      way.client().close();
      way.link().ifPresent(Link::close);
    }
  }
}
