package io.rns.front;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers each head of a request with the same bytes, whatever they are. */
final class RawServer implements AutoCloseable {
  /** Requests that have come. */
  final AtomicInteger reached = new AtomicInteger();
  private final byte[] answer;
  private final ServerSocket socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());

  RawServer(String answer) throws IOException {
    this.answer = answer.getBytes(StandardCharsets.ISO_8859_1);
    Thread.ofVirtual().start(() -> {
      while (!socket.isClosed()) {
        try {
          Socket client = socket.accept();
          Thread.ofVirtual().start(() -> serve(client));
        } catch (IOException e) {
          return;
        }
      }
    });
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/rns");
  }

  private void serve(Socket client) {
    try (client) {
      InputStream in = client.getInputStream();
      int last = 0;
      for (int octet = in.read(); octet >= 0; octet = in.read()) {
        last = last << Byte.SIZE | octet;
        if (last == 0x0d0a0d0a) {
          reached.incrementAndGet();
          client.getOutputStream().write(answer);
        }
      }
    } catch (IOException e) {
      // The front has had enough.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
