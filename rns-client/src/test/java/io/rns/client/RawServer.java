package io.rns.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that does with each connection what a test wants, also what no server should. */
final class RawServer implements AutoCloseable {
  /** What it does with a connection; it is closed afterwards. */
  interface Behaviour {
    void handle(Socket socket) throws IOException;
  }

  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();

  RawServer(Behaviour behaviour) {
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(() -> accept(behaviour));
  }

  /** A server that reads each request and answers it with the same bytes, connection by connection. */
  static RawServer answering(String answer) {
    return new RawServer(
        socket -> {
          while (readRequest(socket.getInputStream())) {
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
          }
        });
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept(Behaviour behaviour) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        accepted.incrementAndGet();
        daemon(() -> handle(behaviour, socket));
      } catch (IOException e) {
        // closed by the test, which is over
        return;
      }
    }
  }

  private static void handle(Behaviour behaviour, Socket socket) {
    try (socket) {
      behaviour.handle(socket);
    } catch (IOException e) {
      // the client went away, as some tests want it to
      return;
    }
  }

  /** Reads the head and the body of a request; false if the client has closed the connection. */
  static boolean readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        return false;
      }
      head.append((char) c);
    }
    String lower = head.toString().toLowerCase(Locale.ROOT);
    int at = lower.indexOf("content-length:") + "content-length:".length();
    int length = Integer.parseInt(lower.substring(at, lower.indexOf("\r\n", at)).trim());
    if (in.readNBytes(length).length < length) {
      throw new EOFException();
    }
    return true;
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/rns");
  }

  /** How many connections were made. */
  int accepted() {
    return accepted.get();
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
