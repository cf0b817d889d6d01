package io.rns.association;

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

/**
 * One connection: cuts what comes into messages, and sends what it is given in order. Never waits. For the thread of
 * the {@link Carrier}.
 */
final class Association {
  /** Bytes that wait to be sent, at most; whoever lets more come together is not reading. */
  private static final long WAITING_BYTES = 8 * 1_048_576;

  private final long id;
  private final Protocol protocol;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
  private final Queue<byte[]> outgoing = new ArrayDeque<>();
  private long waitingBytes;

  /** Of the first message that waits. */
  private int sentOfFirst;

  private boolean writing;
  private boolean ending;
  private boolean marked;

  /**
   * Begins to be watched.
   *
   * @param channel connected, or about to be; closed if this fails
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

  /** Marks it as one that has something to send; false if it was marked. */
  boolean mark() {
    boolean isNew = !marked;
    marked = true;
    return isNew;
  }

  /** The other end has answered. */
  void connected() throws IOException {
    if (channel.finishConnect()) {
      key.interestOps(SelectionKey.OP_READ);
    }
  }

  /**
   * The messages that are complete with what has come, padding left out; none if it is about to be closed.
   *
   * @param buffer for what comes
   * @throws EOFException if the other end has closed
   * @throws io.rns.error.RnsException if what comes is no stream of messages
   */
  List<byte[]> read(byte[] buffer) throws IOException {
    int count = channel.read(ByteBuffer.wrap(buffer));
    if (count < 0) {
      throw new EOFException("closed by the other end");
    }
    return ending ? List.of() : frames.accept(buffer, 0, count);
  }

  /** Has a message sent with the next {@link #flush}. */
  void send(byte[] message) {
    if (!ending) {
      outgoing.add(message);
      waitingBytes += message.length;
    }
  }

  /** Nothing more is to be sent or heard. */
  void end() {
    ending = true;
  }

  /**
   * Sends what waits, as far as the network takes it now; many messages cost one call of the system.
   *
   * @param buffer for what goes
   * @return whether it stays open
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
      throw new IOException(waitingBytes + " bytes wait: the other end does not read");
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

  /** So many bytes are on their way. */
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
      // Nothing more can be done about it.
    }
  }
}
