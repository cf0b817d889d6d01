package io.rns.loadtest.pool;

import io.rns.client.pool.Admission;
import io.rns.loadtest.launcher.Io;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A server of connections that stay open, which rejects requests above its places. A request is a number of
 * nanoseconds, the answer one byte.
 */
final class ConnectionServer implements SimulatedServer {
  static final int DONE = 1;
  static final int BUSY = 2;

  private static final int BACKLOG = 1_024;

  private final Service service;
  private final Admission admission;
  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final LongAdder requests = new LongAdder();

  /** Listens, and serves at most {@code limit} requests at once. */
  ConnectionServer(Service service, int limit) {
    this.service = service;
    this.admission = new Admission(limit);
    this.listening = Io.get("listening for a simulated server",
        () -> new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
    Thread.ofVirtual().name("server " + port()).start(this::accept);
  }

  @Override
  public int port() {
    return listening.getLocalPort();
  }

  @Override
  public Admission admission() {
    return admission;
  }

  @Override
  public long requests() {
    return requests.sum();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        socket.setTcpNoDelay(true);
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        // Closed, or the connection ended before it began.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        long nanos = in.readLong();
        requests.increment();
        if (service.equals(Service.BROKEN)) {
          return;
        }
        socket.getOutputStream().write(answer(nanos));
      }
    } catch (IOException e) {
      // The user is gone, or this is closed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(socket);
    }
  }

  private int answer(long nanos) throws InterruptedException {
    Optional<Admission.Place> place = admission.enter();
    if (place.isEmpty()) {
      return BUSY;
    }
    Admission.Place held = place.get();
    try (held) {
      service.serve(nanos);
      return DONE;
    }
  }

  @Override
  public void close() {
    Io.run("closing a simulated server", () -> {
      listening.close();
      for (Socket socket : open) {
        socket.close();
      }
    });
  }
}
