package io.rns.association;

import io.rns.registrar.Reporters;
import io.rns.rserpool.FrameReader;
import io.rns.rserpool.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One connection: splits incoming bytes into messages, and sends messages in order. Never blocks. Used only by the
 * {@link Carrier} thread.
 */
final class Association {
  /** Maximum of unsent bytes; beyond it the other end is considered not to read. */
  private static final long WAITING_BYTES = 8 * 1_048_576;

  private final long id;
  private final Protocol protocol;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
  private final Queue<byte[]> outgoing = new ArrayDeque<>();
  private long waitingBytes;

  /** Bytes already sent of the first queued message. */
  private int sentOfFirst;

  /** The number of the host at the other end, once a message has come from it. */
  private @Nullable Long sender;

  private boolean writing;
  private boolean ending;
  private boolean marked;

  /**
   * Registers the channel with the selector.
   *
   * @param channel connected, or about to connect; closed if this fails
   * @throws IOException if it is closed already
   */
  Association(long id, Protocol protocol, SocketChannel channel, Selector selector) throws IOException {
    this.id = id;
    this.protocol = protocol;
    this.channel = channel;
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      this.key =
          channel.register(selector, channel.isConnected() ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  long id() {
    return id;
  }

  Protocol protocol() {
    return protocol;
  }

  /** The number of the host at the other end. */
  long sender() {
    Long known = sender;
    if (known == null) {
      known = Reporters.number(channel.socket().getInetAddress().getHostAddress());
      sender = known;
    }
    return known;
  }

  /** Marks it for sending; false if it was already marked. */
  boolean mark() {
    boolean isNew = !marked;
    marked = true;
    return isNew;
  }

  /** Completes the connection. */
  void connected() throws IOException {
    if (channel.finishConnect()) {
      key.interestOps(SelectionKey.OP_READ);
    }
  }

  /**
   * Reads and returns the completed messages, without padding; none if the connection is ending.
   *
   * @param buffer scratch space
   * @throws EOFException if the other end has closed
   * @throws io.rns.error.RnsException if the bytes are not a valid stream of messages
   */
  List<byte[]> read(byte[] buffer) throws IOException {
    int count = channel.read(ByteBuffer.wrap(buffer));
    if (count < 0) {
      throw new EOFException("closed by the other end");
    }
    return ending ? List.of() : frames.accept(buffer, 0, count);
  }

  /** Queues a message for the next {@link #flush}. */
  void send(byte[] message) {
    if (!ending) {
      outgoing.add(message);
      waitingBytes += message.length;
    }
  }

  /** Stops sending and receiving; queued messages are still sent. */
  void end() {
    ending = true;
  }

  /**
   * Sends queued messages as far as the network accepts them, many per system call.
   *
   * @param buffer scratch space
   * @return whether the connection stays open
   * @throws IOException if it is closed, or the other end does not read
   */
  boolean flush(ByteBuffer buffer) throws IOException {
    marked = false;
    boolean taken = channel.isConnected();
    while (taken && !outgoing.isEmpty()) {
      fill(buffer.clear());
      taken = sent(channel.write(buffer.flip())) && !buffer.hasRemaining();
    }
    if (waitingBytes > WAITING_BYTES) {
      throw new IOException(waitingBytes + " unsent bytes: the other end does not read");
    }
    if (channel.isConnected() && writing == outgoing.isEmpty()) {
      writing = !writing;
      key.interestOps(writing ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }
    return !ending || !outgoing.isEmpty();
  }

  private void fill(ByteBuffer buffer) {
    int from = sentOfFirst;
    for (byte[] message : outgoing) {
      buffer.put(message, from, Math.min(message.length - from, buffer.remaining()));
      from = 0;
      if (!buffer.hasRemaining()) {
        return;
      }
    }
  }

  /** Accounts for the bytes sent. */
  private boolean sent(int count) {
    waitingBytes -= count;
    int left = count + sentOfFirst;
    for (byte[] first = outgoing.peek(); first != null && left >= first.length; first = outgoing.peek()) {
      left -= first.length;
      outgoing.remove();
    }
    sentOfFirst = left;
    return count > 0;
  }

  /** Closes the connection at once. */
  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing more can be done.
    }
  }
}
