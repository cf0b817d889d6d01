package io.rns.server.adversary;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;

/** One connection on which a client sends the bytes it likes. */
final class RawConnection implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;

  private RawConnection(Socket socket) {
    this.socket = socket;
  }

  static RawConnection to(URI server) throws IOException {
    return to(server, "127.0.0.1", 0);
  }

  /**
   * A connection from one of this machine's addresses.
   *
   * @param receiveBytes how much its kernel takes of an answer that is not read; 0 for as much as usual
   */
  static RawConnection to(URI server, String from, int receiveBytes) throws IOException {
    Socket socket = new Socket();
    try {
      if (receiveBytes > 0) {
        socket.setReceiveBufferSize(receiveBytes);
      }
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
      socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), PATIENCE_MILLIS);
      return new RawConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  RawConnection send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** All that comes until the server closes the connection. */
  String readToEnd() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(all);
    } catch (SocketTimeoutException e) {
      throw new IOException("open after " + PATIENCE_MILLIS + " ms; so far: " + all.toString(ISO_8859_1), e);
    } catch (IOException reset) {
      // Closed with something unread: what has come counts.
      return all.toString(ISO_8859_1);
    }
    return all.toString(ISO_8859_1);
  }

  /** The status of an answer; 0 if the connection was closed instead. */
  int readStatus() throws IOException {
    StringBuilder line = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int next = in.read(); next >= 0 && next != '\r'; next = in.read()) {
      line.append((char) next);
    }
    return line.isEmpty() ? 0 : Integer.parseInt(line.substring(9, 12));
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
