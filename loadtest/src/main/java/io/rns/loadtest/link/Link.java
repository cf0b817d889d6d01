package io.rns.loadtest.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A line between programs: it listens on a port of 127.0.0.1 and passes all connections on to another one, with a delay
 * in both directions. It can be cut and mended. A connection is taken at once, also when the line is cut or nobody
 * listens at its end; only bytes are delayed. Safe for use by many threads.
 */
public final class Link implements AutoCloseable {
  private static final int BACKLOG = 200;
  private static final long ACCEPT_PAUSE_NANOS = 10_000_000;

  private final ServerSocket listening;
  private final InetSocketAddress target;
  private final Delay delay;
  private final Gate gate = new Gate();
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

  private Link(ServerSocket listening, InetSocketAddress target, Delay delay) {
    this.listening = listening;
    this.target = target;
    this.delay = delay;
  }

  /**
   * Begins to listen.
   *
   * @param port of 127.0.0.1; 0 for any free one
   * @param target the port of 127.0.0.1 where connections go; tried for each of them
   * @throws IOException if the port cannot be listened on
   */
  public static Link open(int port, int target, Delay delay) throws IOException {
    ServerSocket listening = new ServerSocket();
    try {
      listening.setReuseAddress(true);
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    } catch (IOException e) {
      listening.close();
      throw new IOException("port " + port + " cannot be listened on: " + e.getMessage(), e);
    }
    Link link = new Link(listening, new InetSocketAddress(InetAddress.getLoopbackAddress(), target), delay);
    Thread.ofVirtual().name("link " + link.port()).start(link::accept);
    return link;
  }

  /** Where it listens. */
  public int port() {
    return listening.getLocalPort();
  }

  /**
   * Lets nothing pass any more, as a line that is down: connections stay open, new ones are taken, and nobody hears
   * anything. What is sent meanwhile arrives when it is mended.
   */
  public void cut() {
    gate.set(false);
  }

  /** Lets everything pass again. */
  public void mend() {
    gate.set(true);
  }

  /** Breaks all connections that are open; both ends see them end. */
  public void drop() {
    connections.forEach(Connection::close);
  }

  /** Ends it, with all connections. */
  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException("port " + port(), e);
    } finally {
      drop();
    }
  }

  private void accept() {
    while (true) {
      try {
        Connection connection = new Connection(listening.accept(), target, delay, gate, connections::remove);
        connections.add(connection);
        connection.start();
        if (listening.isClosed()) {
          connection.close();
        }
      } catch (IOException e) {
        if (listening.isClosed()) {
          return;
        }
        // No descriptor is free, say: tried again, but not all the time.
        LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
      }
    }
  }
}
