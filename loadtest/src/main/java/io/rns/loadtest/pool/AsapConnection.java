package io.rns.loadtest.pool;

import io.rns.loadtest.launcher.Io;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.FrameReader;
import io.rns.rserpool.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Queue;

/** A connection to a registrar: what elements and users have in common. For one thread, but any thread may close it. */
class AsapConnection implements AutoCloseable {
  private static final int BUFFER_BYTES = 8_192;

  private final Socket socket = new Socket();
  private final FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
  private final Queue<byte[]> waiting = new ArrayDeque<>();
  private final byte[] buffer = new byte[BUFFER_BYTES];

  AsapConnection(InetSocketAddress registrar) throws IOException {
    socket.setTcpNoDelay(true);
    socket.connect(registrar);
  }

  final void send(byte[] message) throws IOException {
    socket.getOutputStream().write(message);
  }

  final AsapMessage receive() throws IOException {
    if (AsapCodec.decode(receiveBytes()) instanceof Decoded.Understood<AsapMessage> understood) {
      return understood.message();
    }
    throw new IOException("the registrar sent an invalid message");
  }

  /** The bytes of the next message, padding left out. */
  final byte[] receiveBytes() throws IOException {
    while (waiting.isEmpty()) {
      int count = socket.getInputStream().read(buffer);
      if (count < 0) {
        throw new EOFException("the registrar closed the connection");
      }
      waiting.addAll(frames.accept(buffer, 0, count));
    }
    return waiting.remove();
  }

  @Override
  public final void close() {
    Io.run("closing a connection to a registrar", socket::close);
  }
}
