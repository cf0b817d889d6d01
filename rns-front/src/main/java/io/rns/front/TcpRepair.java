package io.rns.front;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Takes TCP connections out of the kernel, and puts them into another one, by Linux' {@code TCP_REPAIR}. A socket in
 * this mode can be closed without a packet. Works as long as neither kernel exchanges packets for the address: who uses
 * it takes the address away before, and gives it to the other machine after. Used by one thread.
 */
final class TcpRepair {
  private static final Logger LOG = Logger.getLogger(TcpRepair.class.getName());
  /** Bytes of a connection's queue that can move. */
  private static final int MOST_BYTES = 8 << 20;
  private static final int WARM_UPS = 1_000;
  private static final int ADDRESS_BYTES = 16;

  private static final int INET = 2;
  private static final int STREAM = 1;
  private static final int PEEK = 2;
  private static final int IP_LEVEL = 0;
  private static final int IP_TRANSPARENT = 19;
  private static final int SNDBUFFORCE = 32;
  private static final int REUSEADDR = 2;

  private static final int TCP_LEVEL = 6;
  private static final int MAXSEG = 2;
  private static final int INFO = 11;
  private static final int REPAIR = 19;
  private static final int REPAIR_QUEUE = 20;
  private static final int QUEUE_SEQ = 21;
  private static final int REPAIR_OPTIONS = 22;
  private static final int TIMESTAMP = 24;
  private static final int REPAIR_WINDOW = 29;

  /** Linux' TCP_MIN_MSS and MAX_TCP_WINDOW: it takes no other size of segments, though another side may name one. */
  private static final int LEAST_SEGMENT = 88;
  private static final int MOST_SEGMENT = 32_767;

  private static final int NO_QUEUE = 0;
  private static final int RECEIVE_QUEUE = 1;
  private static final int SEND_QUEUE = 2;

  private static final int HAS_TIMESTAMPS = 1;
  private static final int HAS_SACK = 2;
  private static final int HAS_SCALES = 4;
  private static final int OPTION_SEGMENT = 2;
  private static final int OPTION_SCALES = 3;
  private static final int OPTION_SACK = 4;
  private static final int OPTION_TIMESTAMPS = 8;

  /** Where {@code tcp_info} has what is needed. */
  private static final int INFO_BYTES = 148;
  private static final int INFO_STATE = 0;
  private static final int INFO_OPTIONS = 5;
  private static final int INFO_SCALES = 6;
  private static final int INFO_UNSENT = 144;

  private static final int ESTABLISHED = 1;
  private static final int CLOSE_WAIT = 8;

  private final SystemCalls calls;
  private final ByteBuffer queue = SystemCalls.memory(MOST_BYTES);
  private final ByteBuffer info = SystemCalls.memory(INFO_BYTES);
  private final ByteBuffer window = SystemCalls.memory(TcpState.WINDOW_BYTES);
  private final ByteBuffer options = SystemCalls.memory(4 * 2 * Integer.BYTES);
  private final ByteBuffer address = SystemCalls.memory(ADDRESS_BYTES);

  TcpRepair(SystemCalls calls) {
    this.calls = calls;
  }

  /**
   * A connection as it was taken out.
   *
   * @param unread bytes that the program has not read
   * @param unsent bytes that the program has written, and the kernel did not send yet
   */
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  record Detached(TcpState state, byte[] unread, byte[] unsent) {}

  /**
   * Takes a connection out: its socket is in repair mode then.
   *
   * @return empty if it is not, or not any more, a connection in which this side can send
   * @throws IOException if the system does not permit it
   */
  Optional<Detached> detach(int socket, InetSocketAddress local, InetSocketAddress remote) throws IOException {
    option(socket, REPAIR, "TCP_REPAIR", 1);
    calls.get(socket, TCP_LEVEL, INFO, "TCP_INFO", info);
    int state = info.get(INFO_STATE);
    if (state != ESTABLISHED && state != CLOSE_WAIT) {
      return Optional.empty();
    }
    int received = sequence(socket, RECEIVE_QUEUE);
    byte[] unread = peek(socket);
    int end = sequence(socket, SEND_QUEUE);
    byte[] sending = peek(socket);
    option(socket, REPAIR_QUEUE, "TCP_REPAIR_QUEUE", NO_QUEUE);
    int sent = sending.length - Math.min(sending.length, info.getInt(INFO_UNSENT));
    calls.get(socket, TCP_LEVEL, REPAIR_WINDOW, "TCP_REPAIR_WINDOW", window);
    byte[] windows = new byte[TcpState.WINDOW_BYTES];
    window.get(0, windows);
    int used = info.get(INFO_OPTIONS) & (HAS_TIMESTAMPS | HAS_SACK | HAS_SCALES);
    TcpState taken =
        new TcpState(local, remote, received, end - sending.length, state == CLOSE_WAIT, used,
            info.get(INFO_SCALES) & 0xff, calls.get(socket, TCP_LEVEL, MAXSEG, "TCP_MAXSEG"),
            calls.get(socket, TCP_LEVEL, TIMESTAMP, "TCP_TIMESTAMP"), windows, Arrays.copyOf(sending, sent));
    return Optional.of(new Detached(taken, unread, Arrays.copyOfRange(sending, sent, sending.length)));
  }

  private int sequence(int socket, int which) throws IOException {
    option(socket, REPAIR_QUEUE, "TCP_REPAIR_QUEUE", which);
    return calls.get(socket, TCP_LEVEL, QUEUE_SEQ, "TCP_QUEUE_SEQ");
  }

  private byte[] peek(int socket) throws IOException {
    queue.clear();
    int length = calls.receive(socket, queue, PEEK);
    if (length == MOST_BYTES) {
      throw new IOException("a connection has more than " + MOST_BYTES + " bytes in a queue");
    }
    byte[] bytes = new byte[Math.max(0, length)];
    queue.get(bytes);
    return bytes;
  }

  /**
   * Puts a connection into this kernel. It does not send anything before {@link #activateAll}.
   *
   * @return its socket, in repair mode, not blocking
   * @throws IOException if the system does not permit it, or has this connection; there is no socket then
   */
  int attach(TcpState state) throws IOException {
    int socket = open();
    try {
      // The address is not on this machine yet.
      calls.set(socket, IP_LEVEL, IP_TRANSPARENT, "IP_TRANSPARENT", 1);
      begin(socket, RECEIVE_QUEUE, state.received());
      begin(socket, SEND_QUEUE, state.acknowledged());
      calls.bind(socket, address(state.local()));
      // Later it would have no effect until the route changes.
      option(socket, MAXSEG, "TCP_MAXSEG", Math.clamp(state.segment(), LEAST_SEGMENT, MOST_SEGMENT));
      calls.connect(socket, address(state.remote()));
      calls.set(socket, TCP_LEVEL, REPAIR_OPTIONS, "TCP_REPAIR_OPTIONS", options(state));
      if ((state.options() & HAS_TIMESTAMPS) != 0) {
        option(socket, TIMESTAMP, "TCP_TIMESTAMP", state.timestamp());
      }
      fill(socket, state.unacknowledged());
      option(socket, REPAIR_QUEUE, "TCP_REPAIR_QUEUE", NO_QUEUE);
      calls.set(socket, TCP_LEVEL, REPAIR_WINDOW, "TCP_REPAIR_WINDOW", window.put(0, state.window()));
      calls.set(socket, IP_LEVEL, IP_TRANSPARENT, "IP_TRANSPARENT", 0);
      return socket;
    } catch (IOException e) {
      calls.close(socket);
      throw new IOException(e.getMessage() + ", for the connection of " + state.local() + " with " + state.remote(), e);
    } catch (RuntimeException e) {
      calls.close(socket);
      throw e;
    }
  }

  /** A socket in repair mode. */
  private int open() throws IOException {
    int socket = calls.socket(INET, STREAM | SystemCalls.NON_BLOCKING, 0);
    try {
      option(socket, REPAIR, "TCP_REPAIR", 1);
      return socket;
    } catch (IOException e) {
      calls.close(socket);
      throw e;
    }
  }

  private void begin(int socket, int which, int sequence) throws IOException {
    option(socket, REPAIR_QUEUE, "TCP_REPAIR_QUEUE", which);
    option(socket, QUEUE_SEQ, "TCP_QUEUE_SEQ", sequence);
  }

  private ByteBuffer options(TcpState state) {
    options.clear().putInt(OPTION_SEGMENT).putInt(state.segment());
    if ((state.options() & HAS_SCALES) != 0) {
      options.putInt(OPTION_SCALES).putInt((state.scales() & 0xf) | (state.scales() >> 4) << Short.SIZE);
    }
    if ((state.options() & HAS_SACK) != 0) {
      options.putInt(OPTION_SACK).putInt(0);
    }
    if ((state.options() & HAS_TIMESTAMPS) != 0) {
      options.putInt(OPTION_TIMESTAMPS).putInt(0);
    }
    return options.flip();
  }

  /** Writes bytes that were sent before into the queue of those that may have to be sent again. */
  private void fill(int socket, byte[] bytes) throws IOException {
    option(socket, REPAIR_QUEUE, "TCP_REPAIR_QUEUE", SEND_QUEUE);
    queue.clear().put(bytes).flip();
    boolean enlarged = false;
    while (queue.hasRemaining()) {
      int taken = calls.send(socket, queue);
      if (taken != SystemCalls.NONE) {
        queue.position(queue.position() + taken);
      } else if (!enlarged) {
        enlarged = true;
        calls.set(socket, SystemCalls.SOCKET_LEVEL, SNDBUFFORCE, "SO_SNDBUFFORCE", 2 * bytes.length);
      } else {
        throw new IOException("the system does not take " + bytes.length + " unacknowledged bytes");
      }
    }
  }

  /**
   * Lets connections go on: each probes the other side, whose answer shows whether the two agree. One that has ended
   * meanwhile does not keep the others.
   */
  void activateAll(Collection<Integer> sockets) {
    for (int socket : sockets) {
      try {
        option(socket, REPAIR, "TCP_REPAIR", 0);
        // As accepted ones have it, which the end of the mode takes away: else what is left of it after its end would
        // keep the port from a front that starts.
        calls.set(socket, SystemCalls.SOCKET_LEVEL, REUSEADDR, "SO_REUSEADDR", 1);
      } catch (IOException e) {
        LOG.log(Level.WARNING, () -> "a connection does not go on: " + e.getMessage());
      }
    }
  }

  /** Closes a socket in repair mode, which the other side does not notice. */
  void drop(int socket) {
    calls.close(socket);
  }

  private void option(int socket, int option, String name, int value) throws IOException {
    calls.set(socket, TCP_LEVEL, option, name, value);
  }

  private ByteBuffer address(InetSocketAddress of) {
    return address.clear().putShort((short) INET)
        .put((byte) (of.getPort() >> Byte.SIZE)).put((byte) of.getPort()).put(of.getAddress().getAddress()).rewind();
  }

  /**
   * Attaches and detaches connections that nobody has, so that clients do not wait for code that runs for the first
   * time.
   *
   * @throws IOException if the system does not permit it
   */
  void warmUp() throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[]{127, 0, 0, 1});
    InetSocketAddress local = new InetSocketAddress(loopback, 0);
    InetSocketAddress remote = new InetSocketAddress(loopback, 9);
    for (int i = 0; i < WARM_UPS; i++) {
      int socket =
          attach(
              new TcpState(local, remote, i, i, false, HAS_TIMESTAMPS | HAS_SACK | HAS_SCALES, 0x77, 1_460, i,
                  new byte[TcpState.WINDOW_BYTES], new byte[]{1}));
      try {
        var unused = detach(socket, local, remote);
      } finally {
        drop(socket);
      }
    }
  }
}
