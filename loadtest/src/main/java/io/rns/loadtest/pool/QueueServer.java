package io.rns.loadtest.pool;

import io.rns.client.pool.Admission;
import io.rns.client.pool.SocketBacklog;
import io.rns.loadtest.launcher.Io;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A server whose workers take the next request from the queue of its socket: the kernel drops what finds no room. As in
 * the paper on credits, what it reports are its workers and the room of this queue.
 */
final class QueueServer implements SimulatedServer {
  /** Of a datagram: an id, and the nanoseconds that the request takes. The answer is the same. */
  static final int DATAGRAM_BYTES = 2 * Long.BYTES;
  /** Of the answer to a connection, whose request is the nanoseconds. */
  static final int PAGE_BYTES = 16 * 1_024;

  /** What Linux 6.18 counts for a short datagram, and how many of them have room. */
  private static final int COUNTED_BYTES = 832;
  private static final int DATAGRAMS = 256;
  private static final int CONNECTIONS = 64;

  private final Closeable socket;
  private final int port;
  private final Admission admission;
  private final LongAdder requests = new LongAdder();
  private volatile boolean closed;

  /** Takes the next request and answers it. */
  private interface Worker {
    void next(Service service) throws IOException, InterruptedException;
  }

  private QueueServer(Closeable socket, int port, Admission admission) {
    this.socket = socket;
    this.port = port;
    this.admission = admission;
  }

  /** Of datagrams, like a name server. */
  static QueueServer datagrams(int workers) {
    InetAddress here = InetAddress.getLoopbackAddress();
    DatagramSocket socket = Io.get("receiving as a simulated server", () -> new DatagramSocket(0, here));
    int port = socket.getLocalPort();
    Admission admission = new Admission(workers).queue(SocketBacklog.udp(port, COUNTED_BYTES), DATAGRAMS);
    return new QueueServer(socket, port, admission).started(workers, service -> {
      DatagramPacket packet = new DatagramPacket(new byte[DATAGRAM_BYTES], DATAGRAM_BYTES);
      socket.receive(packet);
      service.serve(ByteBuffer.wrap(packet.getData()).getLong(Long.BYTES));
      socket.send(packet);
    });
  }

  /** Of a connection for each request, like a web server. */
  static QueueServer connections(int workers) {
    InetAddress here = InetAddress.getLoopbackAddress();
    ServerSocket listening =
        Io.get("listening for a simulated server", () -> new ServerSocket(0, CONNECTIONS, here));
    int port = listening.getLocalPort();
    Admission admission = new Admission(workers).queue(SocketBacklog.tcp(port), CONNECTIONS);
    return new QueueServer(listening, port, admission).started(workers, service -> {
      try (Socket connection = listening.accept()) {
        service.serve(new DataInputStream(connection.getInputStream()).readLong());
        connection.getOutputStream().write(new byte[PAGE_BYTES]);
      }
    });
  }

  private QueueServer started(int workers, Worker worker) {
    for (int i = 0; i < workers; i++) {
      Thread.ofVirtual().name("server " + port).start(() -> work(worker));
    }
    return this;
  }

  private void work(Worker worker) {
    while (!closed) {
      try {
        worker.next(this::serve);
      } catch (IOException e) {
        // Closed, or the user is gone.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void serve(long nanos) throws InterruptedException {
    requests.increment();
    // There is a place for each worker.
    Admission.Place place = admission.enter().orElseThrow();
    try (place) {
      TimeUnit.NANOSECONDS.sleep(nanos);
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Admission admission() {
    return admission;
  }

  @Override
  public long requests() {
    return requests.sum();
  }

  @Override
  public void close() {
    closed = true;
    Io.run("closing a simulated server", socket::close);
  }
}
