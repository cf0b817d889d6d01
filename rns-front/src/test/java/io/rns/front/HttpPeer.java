package io.rns.front;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends bytes as they are, and reads responses one by one. */
final class HttpPeer implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  HttpPeer(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  HttpPeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(30_000);
    in = new java.io.BufferedInputStream(socket.getInputStream(), 65_536);
  }

  Socket socket() {
    return socket;
  }

  HttpPeer send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** So many bytes of what comes; fewer if the connection ends. */
  int skip(int bytes) throws IOException {
    return in.readNBytes(bytes).length;
  }

  /** The head of the next response, with its empty line; what there is if the connection ends. */
  String head() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int octet = in.read();
    while (octet >= 0) {
      head.write(octet);
      String text = head.toString(StandardCharsets.ISO_8859_1);
      if (octet == '\n' && text.endsWith("\r\n\r\n")) {
        return text;
      }
      octet = in.read();
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** The next response, its body without chunks. */
  String response() throws IOException {
    String head = head();
    String lower = head.toLowerCase(java.util.Locale.ROOT);
    if (lower.contains("transfer-encoding: chunked")) {
      return head + chunks();
    }
    int at = lower.indexOf("content-length: ");
    int length = at < 0 ? 0 : Integer.parseInt(lower.substring(at + 16, lower.indexOf("\r\n", at)));
    return head + new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
  }

  String body() throws IOException {
    String response = response();
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }

  /** The body of a chunked response whose head was read. */
  String content() throws IOException {
    return chunks();
  }

  /** The next server-sent event, in a chunk of its own. */
  String event() throws IOException {
    int size = Integer.parseInt(line(), 16);
    String event = new String(in.readNBytes(size), StandardCharsets.UTF_8);
    line();
    return event.strip();
  }

  private String chunks() throws IOException {
    StringBuilder body = new StringBuilder();
    int size = Integer.parseInt(line(), 16);
    while (size > 0) {
      body.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
      line();
      size = Integer.parseInt(line(), 16);
    }
    line();
    return body.toString();
  }

  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int octet = in.read();
    while (octet >= 0 && octet != '\n') {
      line.append((char) octet);
      octet = in.read();
    }
    return line.toString().strip();
  }

  /** All until the connection ends. */
  String rest() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
