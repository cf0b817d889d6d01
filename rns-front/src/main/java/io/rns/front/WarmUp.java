package io.rns.front;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Requests of a front to itself before it takes over: the first ones of a process take a hundred times longer, which
 * clients would notice. Stateless.
 */
final class WarmUp {
  private static final Logger LOG = Logger.getLogger(WarmUp.class.getName());
  private static final int CONNECTIONS = 8;
  private static final int REQUESTS = 50;
  /** For all of them: where the processor is busy, clients need it more. */
  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private WarmUp() {}

  /** Passes some requests for the list of servers through the loops; without success if no server answers. */
  static void run(FrontServer server) throws IOException {
    FrontListener own =
        FrontListener.bind(server.loops(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
    own.setAccepting(true);
    String request = "GET " + server.settings().context() + "/servers HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    byte[] all =
        ((request + "\r\n").repeat(REQUESTS - 1) + request + "Connection: close\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    long end = System.nanoTime() + BOUND_NANOS;
    try {
      for (int i = 0; i < CONNECTIONS && left(end) > 0; i++) {
        exchange(own.port(), all, end);
      }
    } catch (IOException e) {
      LOG.log(Level.FINE, "no server answers", e);
    } finally {
      own.close();
    }
  }

  private static void exchange(int port, byte[] requests, long end) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(requests);
      byte[] piece = new byte[4_096];
      int length = 0;
      while (length >= 0 && left(end) > 0) {
        socket.setSoTimeout(left(end));
        length = socket.getInputStream().read(piece);
      }
    }
  }

  /** Milliseconds until the end; 0 or less after it. */
  private static int left(long end) {
    return (int) TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
  }
}
