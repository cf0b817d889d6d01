package io.rns.loadtest.group;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.link.Delay;
import io.rns.loadtest.link.Link;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The lines by which the members of a group reach each other's servers and databases. A server reaches its own
 * database, and clients reach the servers, without them.
 *
 * @param first of the ports side by side: those of the servers, of the databases, and of the lines
 * @param links two for each member: to its server and to its database
 */
record GroupLines(int first, List<Link> links) implements AutoCloseable {
  private static final int LOWEST = 10_000;
  /** Where ports of outgoing connections begin. */
  private static final int HIGHEST = 32_768;

  private static final int ATTEMPTS = 100;

  static GroupLines open(List<Delay> delays) {
    int members = delays.size();
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - 4 * members);
      List<Link> links = new ArrayList<>();
      try {
        for (int port = first; port < first + 2 * members; port++) {
          requireFree(port);
        }
        for (int member = 0; member < members; member++) {
          int line = first + 2 * (members + member);
          links.add(Link.open(line, first + member, delays.get(member)));
          links.add(Link.open(line + 1, first + members + member, delays.get(member)));
        }
        return new GroupLines(first, links);
      } catch (IOException e) {
        links.forEach(Link::close);
        last = e;
      }
    }
    throw new RnsException(
        RnsError.UNAVAILABLE,
        "no " + 4 * members + " free ports side by side on 127.0.0.1 in " + ATTEMPTS + " attempts", last);
  }

  private static void requireFree(int port) throws IOException {
    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
  }

  /** The options of {@code ./rns up}. */
  List<String> options() {
    return List.of(
        "--port=" + first, "--database-port=" + (first + links.size() / 2), "--proxy-port=" + (first + links.size()));
  }

  Link toServer(int member) {
    return links.get(2 * member);
  }

  Link toDatabase(int member) {
    return links.get(2 * member + 1);
  }

  @Override
  public void close() {
    links.forEach(Link::close);
  }
}
