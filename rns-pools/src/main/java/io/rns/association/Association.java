package io.rns.association;

import io.rns.registrar.Reporters;
import io.rns.rserpool.FrameReader;
import io.rns.rserpool.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One connection: splits incoming bytes into messages, and sends messages in order. Never blocks. Used only by the
 * {@link Carrier} thread.
 */
final class Association {
  /** Maximum of unsent bytes; beyond it the other end is considered not to read. */
  private static final long WAITING_BYTES = 8 * 1_048_576;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final long id;
  private final Protocol protocol;
  private final SocketChannel channel;
  private final Wire wire;
  private final SelectionKey key;
  private final FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
  private final Queue<byte[]> outgoing = new ArrayDeque<>();
  private long waitingBytes;

  /** Bytes already sent of the first queued message. */
  private int sentOfFirst;

  /** The number of the host at the other end, once a message has come from it. */
  private @Nullable Long sender;

  /** Whether messages can be sent and received. */
  private boolean open;

  private AsapCaller caller = AsapCaller.OPEN;

  /** Whether a message of this connection waits for a decision; the ones after it wait, too. */
  private boolean deciding;

  /** As many as one read has brought. */
  private final Queue<byte[]> held = new ArrayDeque<>();

  private int interest;
  private boolean ending;
  private boolean marked;

  /**
   * Registers the channel with the selector.
   *
   * @param channel connected, or about to connect; closed if this fails
   * @param wire its bytes
   * @throws IOException if it is closed already
   */
  Association(long id, Protocol protocol, SocketChannel channel, Wire wire, Selector selector) throws IOException {
    this.id = id;
    this.protocol = protocol;
    this.channel = channel;
    this.wire = wire;
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      interest = channel.isConnected() ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
      this.key = channel.register(selector, interest, this);
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

  /** The host at the other end. */
  InetAddress address() {
    return channel.socket().getInetAddress();
  }

  /** The number of the host at the other end. */
  long sender() {
    Long known = sender;
    if (known == null) {
      known = Reporters.number(address().getHostAddress());
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

  /** Completes the connection; messages come once it is {@link #open}. */
  boolean connected() throws IOException {
    return channel.finishConnect();
  }

  /**
   * Goes on opening a connected channel.
   *
   * @return a computation after which this has to be called again, if it waits for one
   * @throws IOException if the connection cannot be opened
   */
  Optional<Runnable> open() throws IOException {
    Wire.Opening opening = wire.open();
    int awaited = switch (opening) {
      case Wire.Opening.Open now -> SelectionKey.OP_READ;
      case Wire.Opening.Reading reading -> SelectionKey.OP_READ;
      case Wire.Opening.Writing writing -> SelectionKey.OP_WRITE;
      case Wire.Opening.Computing computing -> 0;
    };
    open = opening instanceof Wire.Opening.Open;
    await(awaited);
    return opening instanceof Wire.Opening.Computing(Runnable task) ? Optional.of(task) : Optional.empty();
  }

  /** Whether messages can be sent and received. */
  boolean isOpen() {
    return open;
  }

  private void await(int operations) {
    if (interest != operations) {
      interest = operations;
      key.interestOps(operations);
    }
  }

  /** The certificates of the other end, once it is open. */
  List<X509Certificate> chain() {
    return wire.chain();
  }

  /** Says who is at the other end. */
  void caller(AsapCaller identified) {
    caller = identified;
  }

  AsapCaller caller() {
    return caller;
  }

  /**
   * Reads and returns the completed messages, without padding; none if the connection is ending.
   *
   * @param buffer scratch space
   * @throws EOFException if the other end has closed
   * @throws io.rns.error.RnsException if the bytes are not a valid stream of messages
   */
  List<byte[]> read(byte[] buffer) throws IOException {
    int count = wire.read(ByteBuffer.wrap(buffer));
    if (count < 0) {
      throw new EOFException("closed by the other end");
    }
    if (wire.hasUnsent()) {
      awaitNext();
    }
    return ending ? List.of() : frames.accept(buffer, 0, count);
  }

  /** Whether the other end has closed, and all that it sent was handled. */
  boolean isOver() {
    return wire.isOver() && !deciding;
  }

  /** Whether bytes wait for the network that the wire has taken, so that it may have left others unread. */
  boolean hasUnsent() {
    return wire.hasUnsent();
  }

  /** Whether a message waits for a decision. */
  boolean isDeciding() {
    return deciding;
  }

  /** Reads no more until a message is decided. */
  void decide() {
    deciding = true;
    awaitNext();
  }

  /** Goes on. */
  void decided() {
    deciding = false;
    awaitNext();
  }

  /** Keeps a message until the one before it is decided. */
  void hold(byte[] message) {
    held.add(message);
  }

  /** The next message that was kept; null if there is none. */
  byte @Nullable [] nextHeld() {
    return held.poll();
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
    held.clear();
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
    boolean taken = open;
    if (taken && wire.hasUnsent()) {
      int unused = wire.write(NOTHING.duplicate());
      taken = !wire.hasUnsent();
    }
    while (taken && !outgoing.isEmpty()) {
      fill(buffer.clear());
      taken = sent(wire.write(buffer.flip())) && !buffer.hasRemaining();
    }
    if (waitingBytes > WAITING_BYTES) {
      throw new IOException(waitingBytes + " unsent bytes: the other end does not read");
    }
    if (open) {
      awaitNext();
    }
    return !ending || !outgoing.isEmpty() || wire.hasUnsent();
  }

  private void awaitNext() {
    int reading = deciding ? 0 : SelectionKey.OP_READ;
    await(outgoing.isEmpty() && !wire.hasUnsent() ? reading : reading | SelectionKey.OP_WRITE);
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
      wire.close();
    } catch (IOException e) {
      // Nothing more can be done.
    }
  }
}
