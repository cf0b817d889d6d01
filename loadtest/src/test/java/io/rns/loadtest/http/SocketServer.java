package io.rns.loadtest.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server of raw sockets, which can behave as badly as a test wants. */
final class SocketServer implements AutoCloseable {
  private final ServerSocket listening;
  private final Conversation conversation;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private final AtomicInteger connections = new AtomicInteger();

  /** What is done with a connection; it is closed after that. */
  interface Conversation {
    void with(Socket socket) throws IOException;
  }

  SocketServer(Conversation conversation) throws IOException {
    this.conversation = conversation;
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        connections.incrementAndGet();
        open.add(socket);
        threads.execute(() -> serve(socket));
      } catch (IOException e) {
        if (!listening.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      conversation.with(socket);
    } catch (IOException e) {
      if (!listening.isClosed() && !socket.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Reads one request of a known length; false at the end of the connection. */
  static boolean readRequest(Socket socket, byte[] expected) throws IOException {
    InputStream in = socket.getInputStream();
    return in.readNBytes(expected.length).length == expected.length;
  }

  static void answer(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort());
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
