package io.rns.loadtest.group;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.link.Delay;
import io.rns.loadtest.link.Link;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The lines by which the members of a group reach each other's servers and databases. A server reaches its own
 * database, and clients the servers, without them.
 */
final class Wires implements AutoCloseable {
  private static final int LOWEST = 10_000;
  /** Where ports of outgoing connections begin. */
  private static final int HIGHEST = 32_768;

  private static final int ATTEMPTS = 100;

  private final int members;
  private final int first;
  private final List<Link> links;

  private Wires(int members, int first, List<Link> links) {
    this.members = members;
    this.first = first;
    this.links = links;
  }

  /**
   * Lines for a group that is to be started.
   *
   * @param delays of the lines to each member and its database
   * @throws RnsException {@link RnsError#UNAVAILABLE} if there are not enough free ports side by side
   */
  static Wires lay(List<Delay> delays) {
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
          links.add(Link.open(first + 2 * members + 2 * member, first + member, delays.get(member)));
          links.add(Link.open(first + 2 * members + 2 * member + 1, first + members + member, delays.get(member)));
        }
        return new Wires(members, first, List.copyOf(links));
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
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
  }

  /** What {@code ./rns up} has to be told. */
  List<String> options() {
    return List.of(
        "--port=" + first, "--database-port=" + (first + members), "--proxy-port=" + (first + 2 * members));
  }

  /** Where the line to the server of a member begins, counted from 0. */
  int serverPort(int member) {
    return links.get(2 * member).port();
  }

  /** Nobody reaches the server of a member any more, counted from 0, over these lines. */
  void cutServer(int member) {
    links.get(2 * member).cut();
  }

  /** Nobody reaches the database of a member any more, counted from 0, over these lines. */
  void cutDatabase(int member) {
    links.get(2 * member + 1).cut();
  }

  /** A member is reached again. */
  void mend(int member) {
    links.get(2 * member).mend();
    links.get(2 * member + 1).mend();
  }

  @Override
  public void close() {
    links.forEach(Link::close);
  }
}
