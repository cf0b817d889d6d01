package io.rns.association;

import io.rns.error.RnsException;
import io.rns.rserpool.FrameReader;
import io.rns.rserpool.WireLimits;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** One connection: cuts what comes into messages, and sends what it is given in order. */
final class Association {
  /** Messages, and their bytes, that wait to be sent, at most; whoever lets more come together is not reading. */
  private static final int WAITING = 8_192;

  private static final long WAITING_BYTES = 8 * 1_048_576;

  private static final int CONNECT_MILLIS = 2_000;
  private static final int BUFFER_BYTES = 16_384;

  private final long id;
  private final Protocol protocol;
  private final Socket socket;
  private final Listener listener;

  /** Messages; none: close the connection when everything before it was sent. */
  private final BlockingQueue<Optional<byte[]>> outgoing = new ArrayBlockingQueue<>(WAITING);

  private final AtomicLong waitingBytes = new AtomicLong();

  Association(long id, Protocol protocol, Socket socket, Listener listener) {
    this.id = id;
    this.protocol = protocol;
    this.socket = socket;
    this.listener = listener;
  }

  /** Hears what comes, on the connection's own thread. */
  interface Listener {
    /**
     * A message came.
     *
     * @param bytes of the message, padding left out
     */
    void received(Association from, byte[] bytes) throws InterruptedException;

    /** The connection is closed, or never was opened. */
    void closed(Association association) throws InterruptedException;
  }

  long id() {
    return id;
  }

  Protocol protocol() {
    return protocol;
  }

  /**
   * Begins to read and write.
   *
   * @param to to connect to first; without, the socket is connected
   */
  void start(Optional<InetSocketAddress> to) {
    Thread.ofVirtual().name(protocol + " connection " + id).start(() -> live(to));
  }

  private void live(Optional<InetSocketAddress> to) {
    try {
      try (socket) {
        if (to.isPresent()) {
          socket.connect(to.get(), CONNECT_MILLIS);
        }
        socket.setTcpNoDelay(true);
        OutputStream out = socket.getOutputStream();
        Thread.ofVirtual().name("writer of " + protocol + " connection " + id).start(() -> write(out));
        read(socket.getInputStream());
      } catch (IOException | RnsException e) {
        // The other end is gone, or speaks something else: that the connection is closed says it all.
      } finally {
        // Ends the writer, wherever it is.
        outgoing.clear();
        outgoing.offer(Optional.empty());
        listener.closed(this);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(InputStream in) throws IOException, InterruptedException {
    FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      for (byte[] frame : frames.accept(buffer, 0, count)) {
        listener.received(this, frame);
      }
    }
  }

  private void write(OutputStream socketOut) {
    // What waits goes out at once: to a busy peer many messages cost one call of the system.
    OutputStream out = new BufferedOutputStream(socketOut, BUFFER_BYTES);
    try {
      for (Optional<byte[]> next = outgoing.take(); next.isPresent(); next = outgoing.take()) {
        out.write(next.get());
        waitingBytes.addAndGet(-next.get().length);
        if (outgoing.isEmpty()) {
          out.flush();
        }
      }
      out.flush();
    } catch (IOException e) {
      // The reader notices, too.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  /** Sends a message, unless the connection is closed. Never waits. */
  void send(byte[] message) {
    if (waitingBytes.addAndGet(message.length) > WAITING_BYTES || !outgoing.offer(Optional.of(message))) {
      close();
    }
  }

  /** Closes the connection when everything was sent. */
  void end() {
    if (!outgoing.offer(Optional.empty())) {
      close();
    }
  }

  /** Closes the connection at once. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing more can be done about it.
    }
  }
}
