package io.rns.loadtest.pool;

import io.rns.client.pool.ElementBusyException;
import io.rns.loadtest.launcher.Io;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A user's connections to simulated servers, kept open for the next request. Safe for use by many threads. */
final class ElementConnections implements Connections {
  private final Map<Integer, Queue<Socket>> idle = new ConcurrentHashMap<>();

  @Override
  public long send(int port, long nanos) throws IOException {
    Queue<Socket> known = idle.computeIfAbsent(port, p -> new ConcurrentLinkedQueue<>());
    Socket kept = known.poll();
    Socket socket = kept == null ? new Socket(InetAddress.getLoopbackAddress(), port) : kept;
    boolean whole = false;
    try {
      socket.setTcpNoDelay(true);
      socket.getOutputStream().write(ByteBuffer.allocate(Long.BYTES).putLong(nanos).array());
      int answer = socket.getInputStream().read();
      whole = answer >= 0;
      if (answer == ConnectionServer.BUSY) {
        throw new ElementBusyException("port " + port + " is full", Duration.ZERO);
      }
      if (answer != ConnectionServer.DONE) {
        throw new EOFException("port " + port + " closed the connection");
      }
      return System.nanoTime();
    } finally {
      if (whole) {
        known.add(socket);
      } else {
        socket.close();
      }
    }
  }

  @Override
  public void close() {
    idle.values().stream().flatMap(Queue::stream).forEach(
        socket -> Io.run("closing a connection to an element", socket::close));
  }
}
