package io.rns.association;

import io.rns.network.ClientNetwork;
import io.rns.registrar.Reporters;
import io.rns.rserpool.FrameReader;
import io.rns.rserpool.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection: splits incoming bytes into messages, and sends messages in order. Never blocks. Used only by the
 * {@link Carrier} thread.
 */
final class Association {
  /** Maximum of unsent bytes; beyond it the other end is considered not to read. */
  private static final long WAITING_BYTES = 8 * 1_048_576;

  /** Nothing more is queued beyond this, which is sent at once only to an end that reads fast. */
  private static final long OVERFLOW_BYTES = 2 * WAITING_BYTES;

  /**
   * Unsent bytes with which an element or user is not heard any more until it reads. Registrars are: two that wait for
   * each other to read would both wait.
   */
  private static final long FULL_BYTES = 256 * 1_024;

  /** A certificate is kept encoded, and decoded. */
  private static final long COPIES_OF_CERTIFICATE = 2;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final long id;
  private final Protocol protocol;
  private final SocketChannel channel;
  private final InetAddress address;
  private final String host;

  /** The control address at the other end, if this side has opened the connection. */
  private final Optional<InetSocketAddress> place;

  private final Wire wire;
  private final SelectionKey key;
  private final FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
  private final MessageQueue outgoing = new MessageQueue();

  /** Unsent bytes of the queued messages. */
  private long waitingBytes;

  /** Bytes already sent of the first queued message. */
  private int sentOfFirst;

  /** The number of the host at the other end, once a message has come from it. */
  private @Nullable Long sender;

  /** Whether messages can be sent and received. */
  private boolean open;

  private AsapCaller caller = AsapCaller.OPEN;

  /** Length of the message that waits for a decision; the ones after it wait, too. 0 without one. */
  private int deciding;

  /** As many as one read has brought. */
  private final MessageQueue held = new MessageQueue();

  /** Memory of the certificates of the other end. */
  private long certificateBytes;

  /** What {@link HeldMemory} knows of {@link #heldBytes}. */
  private long counted;

  private int interest;
  private boolean ending;

  /** Whether a message was dropped. */
  private boolean overflown;

  private boolean closed;
  private boolean marked;
  private boolean resuming;

  /**
   * A connection that the other end has opened. Registers the channel with the selector.
   *
   * @param channel connected; closed if this fails
   * @param wire its bytes
   * @throws IOException if it is closed already
   */
  Association(long id, Protocol protocol, SocketChannel channel, Wire wire, Selector selector) throws IOException {
    this(id, protocol, channel, wire, selector, Optional.empty());
  }

  /**
   * A connection that this side opens. Registers the channel with the selector.
   *
   * @param channel not connected; closed if this fails
   * @param wire its bytes
   * @param place where it leads
   * @throws IOException if it is closed already
   */
  Association(
      long id, Protocol protocol, SocketChannel channel, Wire wire, Selector selector, InetSocketAddress place)
      throws IOException {
    this(id, protocol, channel, wire, selector, Optional.of(place));
  }

  private Association(
      long id, Protocol protocol, SocketChannel channel, Wire wire, Selector selector,
      Optional<InetSocketAddress> place)
      throws IOException {
    this.id = id;
    this.protocol = protocol;
    this.channel = channel;
    this.wire = wire;
    this.place = place;
    try {
      this.address = place.isPresent() ? place.get().getAddress()
          : ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
      this.host = ClientNetwork.of(address);
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

  /** The address of the host at the other end. */
  InetAddress address() {
    return address;
  }

  /** The host at the other end, see {@link ClientNetwork}. */
  String host() {
    return host;
  }

  /** Who has its share of memory: a host, as a registrar or not. */
  String owner() {
    return protocol + " " + host;
  }

  /** The number of the host at the other end. */
  long sender() {
    Long known = sender;
    if (known == null) {
      known = Reporters.number(host);
      sender = known;
    }
    return known;
  }

  /** Where it leads; empty if the other end has opened it. */
  Optional<InetSocketAddress> place() {
    return place;
  }

  /** Memory of its messages that are unfinished, undecided or unsent, of what the wire holds, and of certificates. */
  long heldBytes() {
    return closed ? 0
        : frames.heldBytes() + held.bytes() + deciding + outgoing.bytes() + wire.heldBytes() + certificateBytes;
  }

  /** What was counted of it before. */
  long countedBytes() {
    return counted;
  }

  /** Remembers what is counted of it. */
  void counted(long bytes) {
    counted = bytes;
  }

  /** Marks it for sending; false if it was already marked. */
  boolean mark() {
    boolean isNew = !marked;
    marked = true;
    return isNew;
  }

  /** Says that it is to be resumed; false if that is known. */
  boolean resume() {
    boolean isNew = !resuming;
    resuming = true;
    return isNew;
  }

  /** Says that it is resumed now. */
  void resumed() {
    resuming = false;
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

  /** Waits for nothing, once it is connected, until it is its turn to open. */
  void pause() {
    await(0);
  }

  /** Whether messages can be sent and received. */
  boolean isOpen() {
    return open;
  }

  private void await(int operations) {
    if (interest != operations && !closed) {
      interest = operations;
      key.interestOps(operations);
    }
  }

  /** The certificates of the other end, once it is open. */
  List<X509Certificate> chain() {
    return wire.chain();
  }

  /** Counts the certificates of the other end, which it may have made as long as a handshake admits. */
  void presented(List<X509Certificate> chain) {
    for (X509Certificate certificate : chain) {
      try {
        certificateBytes += COPIES_OF_CERTIFICATE * certificate.getEncoded().length;
      } catch (CertificateEncodingException e) {
        throw new IllegalStateException("a certificate that was received has no encoding", e);
      }
    }
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

  /** Whether the rest of a message is awaited: it has begun, and nothing keeps this side from reading. */
  boolean awaitsRest() {
    return open && reads() && (frames.isUnfinished() || (wire.heldBytes() > 0 && !wire.hasUnsent()));
  }

  /** Whether this side reads; it does not while messages wait here. */
  boolean reads() {
    return !closed && deciding == 0 && held.isEmpty() && !isFull();
  }

  /** Whether the next message can be handled. */
  boolean hears() {
    return !closed && deciding == 0 && !isFull();
  }

  /** Whether the other end has to read before it is heard. */
  private boolean isFull() {
    return protocol == Protocol.ASAP && hasMuchUnsent();
  }

  /** Whether so much is queued that it should be sent before more is. */
  boolean hasMuchUnsent() {
    return waitingBytes > FULL_BYTES;
  }

  /** Whether something waits that can be handled now: messages, or the end of the other side. */
  boolean canResume() {
    return hears() && !ending && (!held.isEmpty() || wire.isOver());
  }

  /** Whether the other end has closed, and all that it sent was handled. */
  boolean isOver() {
    return wire.isOver() && deciding == 0 && held.isEmpty();
  }

  /** Whether bytes wait for the network that the wire has taken, so that it may have left others unread. */
  boolean hasUnsent() {
    return wire.hasUnsent();
  }

  /**
   * Reads no more until a message is decided.
   *
   * @param bytes its length
   */
  void decide(int bytes) {
    deciding = bytes;
    awaitNext();
  }

  /** Goes on. */
  void decided() {
    deciding = 0;
    awaitNext();
  }

  /** Keeps a message until those before it are handled. */
  void hold(byte[] message) {
    held.add(message);
  }

  /** The next message that was kept; null if there is none. */
  byte @Nullable [] nextHeld() {
    return held.poll();
  }

  /** Queues a message for the next {@link #flush}, which fails if too many wait. */
  void send(byte[] message) {
    if (ending || closed) {
      return;
    }
    if (waitingBytes > OVERFLOW_BYTES) {
      overflown = true;
    } else {
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
    if (waitingBytes > WAITING_BYTES || overflown) {
      throw new IOException(waitingBytes + " unsent bytes: the other end does not read");
    }
    if (open) {
      awaitNext();
    }
    return !ending || !outgoing.isEmpty() || wire.hasUnsent();
  }

  /** Reads again, once nothing waits here. */
  void listen() {
    if (open) {
      awaitNext();
    }
  }

  private void awaitNext() {
    // What cannot be read yet would be reported again at once.
    int reading = reads() && !wire.sendsFirst() ? SelectionKey.OP_READ : 0;
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
      outgoing.poll();
    }
    sentOfFirst = left;
    return count > 0;
  }

  /** Closes the connection at once. */
  void close() {
    closed = true;
    held.clear();
    outgoing.clear();
    waitingBytes = 0;
    try {
      wire.close();
    } catch (IOException e) {
      // Nothing more can be done.
    }
  }
}
