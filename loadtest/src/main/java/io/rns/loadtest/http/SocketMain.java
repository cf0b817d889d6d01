package io.rns.loadtest.http;

import io.rns.loadtest.launcher.ServerProcess;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A server that does nothing, in a process of its own: it answers every request at once with the same bytes, and looks
 * at nothing of it but where it ends. It says on which port of 127.0.0.1 it listens, and ends with its standard input.
 */
public final class SocketMain {
  /** As long as that of a query. */
  private static final int BODY_BYTES = 700;

  private static final byte[] ANSWER = answer("<Response>" + "n".repeat(BODY_BYTES) + "</Response>");
  private static final int BACKLOG = 5_000;

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
    HttpReader reader = new HttpReader();
    reader.begin(in);
    try {
      while (true) {
        reader.skipRequest();
        out.write(ANSWER);
      }
    } catch (EOFException e) {
      // The client has all its answers.
    }
  }
}
