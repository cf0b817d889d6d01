package io.rns.loadtest.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A line between programs: it listens on a port of 127.0.0.1 and forwards all connections to another, with a delay in
 * both directions. It can be cut and mended. A connection is accepted at once, even if the line is cut or its target
 * does not listen; only bytes are delayed. Safe for use by many threads.
 */
public final class Link implements AutoCloseable {
  private static final int BACKLOG = 200;
  private static final long ACCEPT_PAUSE_NANOS = 10_000_000;

  private final ServerSocket listening;
  private final InetSocketAddress target;
  private final Delay delay;
  private final Set<Thread> connections = ConcurrentHashMap.newKeySet();
  private volatile CountDownLatch cut = new CountDownLatch(0);

  private Link(ServerSocket listening, InetSocketAddress target, Delay delay) {
    this.listening = listening;
    this.target = target;
    this.delay = delay;
  }

  /** Listens on a port, 0 for any free one, and forwards to another port, which is tried for each connection. */
  public static Link open(int port, int target, Delay delay) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try {
      ServerSocket listening = new ServerSocket(port, BACKLOG, loopback);
      Link link = new Link(listening, new InetSocketAddress(loopback, target), delay);
      Thread.ofVirtual().name("link " + link.port()).start(link::accept);
      return link;
    } catch (IOException e) {
      throw new IOException("port " + port + " cannot be listened on: " + e.getMessage(), e);
    }
  }

  public int port() {
    return listening.getLocalPort();
  }

  /**
   * Stops all bytes, like a line that is down: connections stay open and new ones are accepted, but no end hears
   * anything. What is sent meanwhile arrives when the line is mended.
   */
  public synchronized void cut() {
    cut = cut.getCount() > 0 ? cut : new CountDownLatch(1);
  }

  public synchronized void mend() {
    cut.countDown();
  }

  void awaitMended() throws InterruptedException {
    while (cut.getCount() > 0) {
      cut.await();
    }
  }

  /** Breaks all open connections; both ends see them end. */
  public void drop() {
    connections.forEach(Thread::interrupt);
  }

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
    while (!listening.isClosed()) {
      try {
        LinkConnection connection = new LinkConnection(this, listening.accept(), target, delay);
        Thread thread = Thread.ofVirtual().unstarted(() -> {
          connection.run();
          connections.remove(Thread.currentThread());
        });
        connections.add(thread);
        thread.start();
      } catch (IOException e) {
        // Without a free descriptor, say, accept fails again at once.
        LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
      }
    }
    drop(); // a connection that was accepted while the link was closed
  }
}
