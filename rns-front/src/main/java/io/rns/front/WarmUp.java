package io.rns.front;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
  private static final int TIMEOUT_MILLIS = 1_000;

  private WarmUp() {}

  /** Passes some requests for the list of servers through the loops; without success if no server answers. */
  static void run(FrontServer server) throws IOException {
    FrontListener own = FrontListener.bind(server.loops(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    own.setAccepting(true);
    String request = "GET " + server.settings().context() + "/servers HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    byte[] all =
        ((request + "\r\n").repeat(REQUESTS - 1) + request + "Connection: close\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), own.port())) {
          socket.setSoTimeout(TIMEOUT_MILLIS);
          socket.getOutputStream().write(all);
          byte[] unused = socket.getInputStream().readAllBytes();
        }
      }
    } catch (IOException e) {
      LOG.log(Level.FINE, "no server answers", e);
    } finally {
      own.close();
    }
  }
}
