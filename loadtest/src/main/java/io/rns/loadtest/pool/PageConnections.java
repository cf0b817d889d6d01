package io.rns.loadtest.pool;

import io.rns.client.pool.ElementBusyException;
import io.rns.loadtest.dns.QuestionReplay;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** Opens a connection for each request, and reads a page. */
final class PageConnections implements Connections {
  private final int timeoutMillis;

  PageConnections() {
    this(QuestionReplay.TIMEOUT);
  }

  PageConnections(Duration timeout) {
    this.timeoutMillis = (int) timeout.toMillis();
  }

  @Override
  public long send(int port, long nanos) throws IOException {
    try (Socket socket = new Socket()) {
      // The server closes first; a reset spares the kernel from remembering the connection for a minute.
      socket.setSoLinger(true, 0);
      socket.setSoTimeout(timeoutMillis);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
      new DataOutputStream(socket.getOutputStream()).writeLong(nanos);
      InputStream answer = socket.getInputStream();
      if (answer.read() < 0) {
        throw new EOFException("port " + port + " closed the connection");
      }
      long first = System.nanoTime();
      answer.skipNBytes(QueueServer.PAGE_BYTES - 1L);
      return first;
    } catch (SocketTimeoutException e) {
      throw new ElementBusyException("no answer within " + timeoutMillis + " ms", Duration.ZERO);
    }
  }

  @Override
  public void close() {
    // A connection ends with its request.
  }
}
