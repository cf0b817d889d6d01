package io.rns.loadtest.pool;

import io.rns.client.pool.ElementBusyException;
import io.rns.loadtest.dns.QuestionReplay;
import io.rns.loadtest.launcher.Io;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks servers of datagrams, each from one port: the kernel looks through all ports of the machine to count what waits
 * at one.
 */
final class DatagramConnections implements Connections {
  private final Map<Integer, Asked> servers = new ConcurrentHashMap<>();
  private final Duration timeout;

  DatagramConnections() {
    this(QuestionReplay.TIMEOUT);
  }

  DatagramConnections(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public long send(int port, long nanos) throws IOException {
    return servers.computeIfAbsent(port, Asked::new).ask(nanos, timeout);
  }

  @Override
  public void close() {
    servers.values().forEach(Asked::close);
  }

  private static final class Asked {
    private final DatagramSocket socket;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CountDownLatch> waiting = new ConcurrentHashMap<>();

    Asked(int port) {
      InetAddress here = InetAddress.getLoopbackAddress();
      socket = Io.get("a port for questions", () -> {
        DatagramSocket bound = new DatagramSocket(0, here);
        bound.connect(new InetSocketAddress(here, port));
        return bound;
      });
      Thread.ofVirtual().name("answers of " + port).start(this::receive);
    }

    private void receive() {
      byte[] answer = new byte[QueueServer.DATAGRAM_BYTES];
      while (!socket.isClosed()) {
        try {
          socket.receive(new DatagramPacket(answer, answer.length));
          CountDownLatch answered = waiting.get(ByteBuffer.wrap(answer).getLong());
          if (answered != null) {
            answered.countDown();
          }
        } catch (IOException e) {
          // Closed, or the server is.
        }
      }
    }

    long ask(long nanos, Duration timeout) throws IOException {
      long id = ids.incrementAndGet();
      CountDownLatch answered = new CountDownLatch(1);
      waiting.put(id, answered);
      try {
        byte[] question = ByteBuffer.allocate(QueueServer.DATAGRAM_BYTES).putLong(id).putLong(nanos).array();
        socket.send(new DatagramPacket(question, question.length));
        if (!answered.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
          throw new ElementBusyException("no answer within " + timeout.toMillis() + " ms", Duration.ZERO);
        }
        return System.nanoTime();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("stopped");
      } finally {
        waiting.remove(id);
      }
    }

    void close() {
      socket.close();
    }
  }
}
