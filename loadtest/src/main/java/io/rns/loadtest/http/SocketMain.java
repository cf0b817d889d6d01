package io.rns.loadtest.http;

import io.rns.loadtest.launcher.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A server that does nothing, in a process of its own: it answers every request at once with the same bytes, and looks
 * at nothing of it but where it ends. It says on which port of 127.0.0.1 it listens, and ends with its standard input.
 */
public final class SocketMain {
  /** As long as that of a query. */
  private static final int BODY_BYTES = 700;

  private static final byte[] ANSWER = answer("<Response>" + "n".repeat(BODY_BYTES) + "</Response>");
  private static final int BACKLOG = 5_000;
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final String LAST_OF_HEAD = "\r\n\r\n";
  private static final int END_BYTES = LAST_OF_HEAD.length();
  private static final BytePattern END_OF_HEAD = BytePattern.of(LAST_OF_HEAD);
  private static final String LENGTH_FIELD = "Content-Length: ";
  private static final int LENGTH_BYTES = LENGTH_FIELD.length();
  private static final BytePattern LENGTH = BytePattern.of(LENGTH_FIELD);

  private SocketMain() {}

  public static void main(String[] arguments) throws IOException {
    try (ServerSocket listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> accept(listening));
      System.out.println(listening.getLocalPort());
      ServerProcess.awaitEndOfInput();
    }
  }

  private static byte[] answer(String body) {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: " + body.length() + "\r\n\r\n";
    return (head + body).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void accept(ServerSocket listening) {
    try {
      while (true) {
        Socket socket = listening.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed: this is the end.
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      answerAll(socket.getInputStream(), socket.getOutputStream());
    } catch (IOException e) {
      // The client has gone; whether that was too early, it knows itself.
    }
  }

  /** Answers until the client sends no more. */
  static void answerAll(InputStream in, OutputStream out) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    int filled = 0;
    while (true) {
      int end = endOfRequest(buffer, filled);
      if (end <= filled) {
        out.write(ANSWER);
        filled -= end;
        System.arraycopy(buffer, end, buffer, 0, filled);
      } else {
        buffer = filled == buffer.length ? Arrays.copyOf(buffer, 2 * filled) : buffer;
        int read = in.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
          return;
        }
        filled += read;
      }
    }
  }

  /** How long the first request is; more than there is as long as that is not known. */
  private static int endOfRequest(byte[] buffer, int filled) {
    int head = END_OF_HEAD.find(buffer, 0, filled);
    int length = LENGTH.find(buffer, 0, Math.max(head, 0));
    if (length < 0) {
      return head < 0 ? Integer.MAX_VALUE : head + END_BYTES;
    }
    int body = 0;
    for (int at = length + LENGTH_BYTES; buffer[at] >= '0' && buffer[at] <= '9'; at++) {
      body = 10 * body + buffer[at] - '0';
    }
    return head + END_BYTES + body;
  }
}
