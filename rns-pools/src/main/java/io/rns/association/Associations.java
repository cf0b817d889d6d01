package io.rns.association;

import io.rns.registrar.Effect;
import io.rns.registrar.Recipient;
import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All open connections. Used only by the {@link Carrier} thread. */
final class Associations {
  /** Maximum number of connections; further ones are closed at once. */
  static final int CONNECTIONS = 20_000;

  /** How long updates for other registrars are delayed to be sent together. */
  static final long GATHER_NANOS = 2_000_000;

  /** Timeout for outgoing connections. */
  private static final long CONNECT_NANOS = 2_000_000_000;

  /** Timeout of TLS, on connections of either direction. */
  static final long OPEN_NANOS = 10_000_000_000L;

  /**
   * Connections that TLS has not opened yet, at most: one more takes the place of the oldest, since honest clients need
   * milliseconds.
   */
  static final int OPENING = 1_024;

  private static final int BUFFER_BYTES = 65_536;

  private final Selector selector;
  private final RegistrarProtection protection;
  private final BackgroundTasks tasks;
  private final Consumer<Association> unread;
  private final Consumer<Association> lost;
  private final Consumer<Transport> refused;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final Map<Long, Association> byId = new HashMap<>();

  /** Outgoing connections by address. */
  private final Map<Place, Association> opened = new HashMap<>();

  /** Outgoing connections not yet accepted, with their deadlines in order. */
  private final Map<Association, Long> connecting = new LinkedHashMap<>();

  /** Connections that TLS opens, with their deadlines in order. */
  private final Map<Association, Long> opening = new LinkedHashMap<>();

  private final Queue<Association> ready = new ArrayDeque<>();

  /** Other registrars with delayed updates, and since when. */
  private final List<Association> gathering = new ArrayList<>();

  private long gatheringSince;
  private long last;

  private record Place(Protocol protocol, InetSocketAddress address) {}

  /**
   * No connections.
   *
   * @param tasks do what TLS takes time for
   * @param unread receives each connection that TLS has opened: a message may have come already
   * @param lost receives each closed connection, whichever end closed it
   * @param refused receives the address of each outgoing connection that was never established
   */
  Associations(
      Selector selector, RegistrarProtection protection, BackgroundTasks tasks, Consumer<Association> unread,
      Consumer<Association> lost, Consumer<Transport> refused) {
    this.selector = selector;
    this.protection = protection;
    this.tasks = tasks;
    this.unread = unread;
    this.lost = lost;
    this.refused = refused;
  }

  static Transport transport(InetSocketAddress address) {
    IpAddress ip = new IpAddress(Octets.of(address.getAddress().getAddress()));
    return new Transport.Tcp(address.getPort(), TransportUse.DATA_ONLY, ip);
  }

  /** The socket address of a transport, if it is TCP. */
  private static Optional<InetSocketAddress> address(Transport transport) {
    if (!(transport instanceof Transport.Tcp tcp)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new InetSocketAddress(InetAddress.getByAddress(tcp.address().octets().toBytes()), tcp.port()));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of " + tcp.address().octets().length() + " bytes", e);
    }
  }

  /** Adds an incoming connection. */
  void accept(Protocol protocol, SocketChannel channel) throws IOException {
    if (byId.size() >= CONNECTIONS) {
      channel.close();
      return;
    }
    Wire wire =
        protection.tls().<Wire>map(tls -> TlsWire.accepting(channel, protocol, tls))
            .orElseGet(() -> new PlainWire(channel));
    Association association = new Association(++last, protocol, channel, wire, selector);
    byId.put(association.id(), association);
    begin(association, System.nanoTime());
  }

  /** Handles the result of an outgoing connection attempt. */
  void connected(Association association) {
    try {
      if (association.connected()) {
        begin(association, System.nanoTime());
        connecting.remove(association);
      }
    } catch (IOException e) {
      lose(association);
    }
  }

  /** Begins to open a connection. */
  private void begin(Association association, long nowNanos) {
    if (protection.tls().isPresent()) {
      if (opening.size() >= OPENING) {
        lose(opening.keySet().iterator().next());
      }
      opening.put(association, nowNanos + OPEN_NANOS);
    }
    open(association);
  }

  /** Goes on opening a connection, unless it was closed meanwhile. */
  void open(Association association) {
    if (!has(association)) {
      return;
    }
    try {
      Optional<Runnable> task = association.open();
      if (task.isPresent()) {
        tasks.run(task.get(), () -> open(association));
      } else if (association.isOpen()) {
        if (association.protocol() == Protocol.ASAP) {
          association.caller(caller(association));
        }
        mark(association);
        if (opening.remove(association) != null) {
          unread.accept(association);
        }
      }
    } catch (IOException e) {
      lose(association);
    }
  }

  /** Who answers at a control address is nobody in particular. */
  private AsapCaller caller(Association association) {
    List<X509Certificate> chain = opened.containsValue(association) ? List.of() : association.chain();
    return protection.access().caller(association.address(), chain);
  }

  /** Whether a connection still exists. */
  boolean has(Association association) {
    return byId.get(association.id()) == association;
  }

  /** Carries out effects in order; messages are sent with the next {@link #flush}. */
  @SuppressWarnings("ReferenceEquality") // that it is the same object is the question
  void carry(List<Effect> effects, long nowNanos) {
    Message last = null;
    byte[] encoded = {};
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send(Recipient to, Message message) -> {
          // All peers get the same announcement.
          encoded = message == last ? encoded : Protocol.encode(message);
          last = message;
          send(to, Protocol.of(message), encoded, nowNanos);
        }
        case Effect.Close(long id) -> end(byId.get(id));
      }
    }
  }

  private void send(Recipient to, Protocol protocol, byte[] message, long nowNanos) {
    switch (to) {
      case Recipient.Connected(long id) -> send(byId.get(id), message, nowNanos);
      case Recipient.Listening(Transport at) ->
        address(at).ifPresent(place -> send(opened(new Place(protocol, place), nowNanos), message, nowNanos));
    }
  }

  private void send(@Nullable Association to, byte[] message, long nowNanos) {
    if (to == null) {
      return;
    }
    to.send(message);
    if (to.protocol() == Protocol.ASAP) {
      mark(to);
    } else if (to.mark()) {
      gatheringSince = gathering.isEmpty() ? nowNanos : gatheringSince;
      gathering.add(to);
    }
  }

  /** Sends a message that does not come from the registrar. */
  void answer(Association to, Message message) {
    to.send(Protocol.encode(message));
    mark(to);
  }

  /** Closes a connection after everything queued was sent. */
  void end(@Nullable Association association) {
    if (association != null) {
      association.end();
      mark(association);
    }
  }

  private void mark(Association association) {
    if (association.mark()) {
      ready.add(association);
    }
  }

  private @Nullable Association opened(Place place, long nowNanos) {
    Association known = opened.get(place);
    if (known != null) {
      return known;
    }
    try {
      SocketChannel channel = SocketChannel.open();
      InetAddress address = place.address().getAddress();
      Wire wire =
          protection.tls().<Wire>map(tls -> TlsWire.connecting(channel, place.protocol(), address, tls))
              .orElseGet(() -> new PlainWire(channel));
      Association association = new Association(++last, place.protocol(), channel, wire, selector);
      byId.put(association.id(), association);
      opened.put(place, association);
      connecting.put(association, nowNanos + CONNECT_NANOS);
      if (channel.connect(place.address())) {
        connected(association);
      }
      return association;
    } catch (IOException e) {
      // Treated like a refused connection: the attempt is closed at its deadline.
      return null;
    }
  }

  /** The longest time {@link #flush} may wait; empty if it has nothing to do. */
  Optional<Long> patienceNanos(long nowNanos) {
    if (!gathering.isEmpty()) {
      return Optional.of(Math.max(0, gatheringSince + GATHER_NANOS - nowNanos));
    }
    if (connecting.isEmpty() && opening.isEmpty()) {
      return Optional.empty();
    }
    long patience = Math.min(patienceNanos(connecting, nowNanos), patienceNanos(opening, nowNanos));
    return Optional.of(Math.max(0, patience));
  }

  private static long patienceNanos(Map<Association, Long> deadlines, long nowNanos) {
    return deadlines.isEmpty() ? Long.MAX_VALUE : deadlines.values().iterator().next() - nowNanos;
  }

  /** Sends what is due, and gives up connection attempts past their deadline. */
  void flush(long nowNanos) {
    if (!gathering.isEmpty() && nowNanos - gatheringSince >= GATHER_NANOS) {
      ready.addAll(gathering);
      gathering.clear();
    }
    for (Association next = ready.poll(); next != null; next = ready.poll()) {
      flush(next);
    }
    loseOverdue(connecting, nowNanos);
    loseOverdue(opening, nowNanos);
  }

  private void loseOverdue(Map<Association, Long> deadlines, long nowNanos) {
    while (!deadlines.isEmpty() && deadlines.values().iterator().next() - nowNanos <= 0) {
      lose(deadlines.keySet().iterator().next());
    }
  }

  /** Sends queued messages. */
  void flush(Association association) {
    try {
      if (!association.flush(buffer)) {
        lose(association);
      }
    } catch (IOException e) {
      lose(association);
    }
  }

  /** Closes a connection at once. */
  void lose(Association association) {
    association.close();
    boolean wasConnecting = connecting.remove(association) != null;
    boolean wasOpening = opening.remove(association) != null;
    Optional<InetSocketAddress> refusing =
        wasConnecting || wasOpening ? placeOf(association) : Optional.empty();
    opened.values().remove(association);
    if (byId.remove(association.id()) != null) {
      lost.accept(association);
      refusing.map(Associations::transport).ifPresent(refused);
    }
  }

  private Optional<InetSocketAddress> placeOf(Association association) {
    return opened.entrySet().stream()
        .filter(each -> each.getValue() == association)
        .map(each -> each.getKey().address())
        .findFirst();
  }

  void closeAll() {
    byId.values().forEach(Association::close);
  }
}
