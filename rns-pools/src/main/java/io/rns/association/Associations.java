package io.rns.association;

import io.rns.error.RnsException;
import io.rns.network.ClientNetwork;
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
import java.nio.channels.UnsupportedAddressTypeException;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All open connections. Used only by the {@link Carrier} thread. */
final class Associations {
  private static final Logger LOG = LoggerFactory.getLogger(Associations.class);

  /** How long updates for other registrars are delayed to be sent together. */
  static final long GATHER_NANOS = 2_000_000;

  /** Timeout for outgoing connections. */
  private static final long CONNECT_NANOS = 2_000_000_000;

  /** Timeout of TLS, and of the wait for a turn. */
  private static final long OPEN_NANOS = 10_000_000_000L;

  /** The same for control addresses, once it is their turn: an element has 5 s to answer a keep-alive. */
  private static final long OPEN_CONTROL_NANOS = 3_000_000_000L;

  /** How often the log is told at most that connections are closed for their memory. */
  private static final long LOG_NANOS = 60_000_000_000L;

  private static final int BUFFER_BYTES = 65_536;

  private final Selector selector;
  private final RegistrarProtection protection;
  private final BackgroundTasks tasks;
  private final Consumer<Association> unread;
  private final Consumer<Association> lost;
  private final Consumer<Transport> refused;
  private final BiConsumer<Protocol, byte[]> everyone;
  private final AssociationLimits limits;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final Map<Long, Association> byId = new HashMap<>();
  private final Map<Protocol, HostPlaces> incoming = new EnumMap<>(Protocol.class);
  private final Map<Protocol, HostPlaces> outgoing = new EnumMap<>(Protocol.class);
  private final HeldMemory memory;

  /** Outgoing connections by address. */
  private final Map<Place, Association> opened = new HashMap<>();

  /** Outgoing connections not yet accepted, with their deadlines in order. */
  private final Map<Association, Long> connecting = new LinkedHashMap<>();

  /** Connections that TLS opens, by the kind of the other end, with their deadlines in order. */
  private final Map<Protocol, Map<Association, Long>> opening = new EnumMap<>(Protocol.class);

  /** The same of those that this side has begun. */
  private final Map<Protocol, Map<Association, Long>> openingOwn = new EnumMap<>(Protocol.class);

  /** Connections to control addresses that wait for TLS. */
  private final OpeningTurns turns;

  /** Connections to control addresses that wait until TLS may open them, with their deadlines in order. */
  private final Map<Association, Long> waiting = new LinkedHashMap<>();

  /** Connections that owe the rest of a message, with their deadlines in order. */
  private final Map<Association, Long> unfinished = new LinkedHashMap<>();

  /** All of these but the last. */
  private final List<Map<Association, Long>> deadlines;

  private final Queue<Association> ready = new ArrayDeque<>();

  /** Connections of which messages wait here that can be handled now. */
  private final Queue<Association> resumed = new ArrayDeque<>();

  /** Other registrars with delayed updates, and since when. */
  private final List<Association> gathering = new ArrayList<>();

  private long gatheringSince;
  private long last;
  private long refusals;
  private long closings;
  private long loggedAt;
  private volatile AssociationFigures figures = AssociationFigures.NONE;

  private record Place(Protocol protocol, InetSocketAddress address) {}

  /**
   * No connections.
   *
   * @param tasks do what TLS takes time for
   * @param unread receives each connection that TLS has opened: a message may have come already
   * @param lost receives each closed connection, whichever end closed it
   * @param refused receives the address of each outgoing connection that was never established
   * @param everyone sends a message by multicast
   */
  Associations(
      Selector selector, RegistrarProtection protection, BackgroundTasks tasks, Consumer<Association> unread,
      Consumer<Association> lost, Consumer<Transport> refused, BiConsumer<Protocol, byte[]> everyone) {
    this.selector = selector;
    this.protection = protection;
    this.limits = protection.limits();
    this.memory = new HeldMemory(limits.bytes());
    this.loggedAt = System.nanoTime() - LOG_NANOS;
    for (Protocol protocol : Protocol.values()) {
      incoming.put(protocol, new HostPlaces(limits.incoming(protocol), limits.ofHost(protocol)));
      outgoing.put(protocol, new HostPlaces(limits.outgoing(protocol), limits.toHost(protocol)));
      opening.put(protocol, new LinkedHashMap<>());
      openingOwn.put(protocol, new LinkedHashMap<>());
    }
    this.turns = new OpeningTurns(limits.openingControls(), limits.openingToHost());
    List<Map<Association, Long>> all = new ArrayList<>(opening.values());
    all.addAll(openingOwn.values());
    all.add(connecting);
    all.add(waiting);
    this.deadlines = List.copyOf(all);
    this.tasks = tasks;
    this.unread = unread;
    this.lost = lost;
    this.refused = refused;
    this.everyone = everyone;
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

  /** Adds an incoming connection; closes it if there is no place for it. */
  void accept(Protocol protocol, SocketChannel channel) throws IOException {
    InetAddress address = ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
    String host = ClientNetwork.of(address);
    makeRoomToOpen(protocol);
    HostPlaces places = Objects.requireNonNull(incoming.get(protocol));
    if (!places.enter(host, address.isLoopbackAddress())) {
      refusals++;
      channel.close();
      return;
    }
    try {
      Wire wire =
          protection.tls().<Wire>map(tls -> TlsWire.accepting(channel, protocol, tls))
              .orElseGet(() -> new PlainWire(channel));
      Association association = new Association(++last, protocol, channel, wire, selector);
      byId.put(association.id(), association);
      begin(association, System.nanoTime());
    } catch (IOException e) {
      places.leave(host);
      throw e;
    }
  }

  /** Closes the oldest connection that TLS opens for the host with most of them, if there are too many. */
  private void makeRoomToOpen(Protocol protocol) {
    Map<Association, Long> its = Objects.requireNonNull(opening.get(protocol));
    if (its.size() < limits.opening(protocol)) {
      return;
    }
    Map<String, Integer> counts = new HashMap<>();
    its.keySet().forEach(association -> counts.merge(association.host(), 1, Integer::sum));
    int most = Collections.max(counts.values());
    Association oldest =
        its.keySet().stream().filter(association -> counts.get(association.host()) == most).findFirst().orElseThrow();
    lose(oldest);
  }

  /** The places of which a connection has one. */
  private HostPlaces places(Association association) {
    return Objects.requireNonNull(
        (association.place().isPresent() ? outgoing : incoming).get(association.protocol()));
  }

  /** The connections that TLS opens and that share places with a connection, with their deadlines. */
  private Map<Association, Long> opening(Association association) {
    return Objects.requireNonNull(
        (association.place().isPresent() ? openingOwn : opening).get(association.protocol()));
  }

  private static boolean isControl(Association association) {
    return association.protocol() == Protocol.ASAP && association.place().isPresent();
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

  /** Begins to open a connection, unless that has to wait. */
  private void begin(Association association, long nowNanos) {
    if (protection.tls().isEmpty()) {
      open(association);
    } else if (!isControl(association) || turns.begins(association)) {
      beginTls(association, nowNanos);
    } else {
      association.pause();
      waiting.put(association, nowNanos + OPEN_NANOS);
    }
  }

  private void beginTls(Association association, long nowNanos) {
    waiting.remove(association);
    long patience = isControl(association) ? OPEN_CONTROL_NANOS : OPEN_NANOS;
    opening(association).put(association, nowNanos + patience);
    open(association);
  }

  /** Ends the handshake of TLS; false if there was none. */
  private boolean endTls(Association association) {
    boolean wasOpening = opening(association).remove(association) != null;
    if (wasOpening && isControl(association)) {
      turns.end(association);
    }
    return wasOpening;
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
        if (endTls(association)) {
          unread.accept(association);
        }
      }
    } catch (IOException e) {
      lose(association);
    }
  }

  /** Who answers at a control address is nobody in particular. */
  private AsapCaller caller(Association association) {
    List<X509Certificate> chain = association.place().isPresent() ? List.of() : association.chain();
    association.presented(chain);
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
          encoded = message == last ? encoded : encoded(message);
          last = message;
          if (encoded.length > 0) {
            send(to, Protocol.of(message), encoded, nowNanos);
          }
        }
        case Effect.Close(long id) -> end(byId.get(id));
        case Effect.Warn(String text) -> LOG.warn("{}", text);
      }
    }
  }

  /**
   * A message as it is sent; nothing if it is too long, as that of a peer can be that has little room for what this
   * registrar adds: effects behind it are carried out all the same.
   */
  private static byte[] encoded(Message message) {
    try {
      return Protocol.encode(message);
    } catch (RnsException e) {
      LOG.warn("a message is not sent: {}", e.getMessage());
      return new byte[0];
    }
  }

  private void send(Recipient to, Protocol protocol, byte[] message, long nowNanos) {
    switch (to) {
      case Recipient.Connected(long id) -> send(byId.get(id), message, nowNanos);
      case Recipient.Listening(Transport at) ->
        address(at).ifPresent(place -> send(opened(new Place(protocol, place), nowNanos), message, nowNanos));
      case Recipient.Everyone() -> everyone.accept(protocol, message);
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
    InetAddress address = place.address().getAddress();
    HostPlaces places = Objects.requireNonNull(outgoing.get(place.protocol()));
    if (!places.enter(ClientNetwork.of(address), address.isLoopbackAddress())) {
      // Treated like a lost message.
      refusals++;
      return null;
    }
    boolean isKnown = false;
    try {
      SocketChannel channel = SocketChannel.open();
      Wire wire =
          protection.tls().<Wire>map(tls -> TlsWire.connecting(channel, place.protocol(), place.address(), tls))
              .orElseGet(() -> new PlainWire(channel));
      Association association =
          new Association(++last, place.protocol(), channel, wire, selector, place.address());
      byId.put(association.id(), association);
      opened.put(place, association);
      isKnown = true;
      connecting.put(association, nowNanos + CONNECT_NANOS);
      if (connects(channel, place.address())) {
        connected(association);
      }
      return association;
    } catch (IOException e) {
      // Treated like a refused connection: the attempt is closed at its deadline.
      return null;
    } finally {
      if (!isKnown) {
        places.leave(ClientNetwork.of(address));
      }
    }
  }

  private static boolean connects(SocketChannel channel, InetSocketAddress to) throws IOException {
    try {
      return channel.connect(to);
    } catch (UnsupportedAddressTypeException e) {
      // Of a host without IPv6. Other failures close the channel.
      channel.close();
      throw new IOException(to + " is of a kind that this host does not know", e);
    }
  }

  /** The longest time {@link #flush} and {@link #loseUnfinished} may wait; empty if they have nothing to do. */
  Optional<Long> patienceNanos(long nowNanos) {
    if (!resumed.isEmpty()) {
      return Optional.of(0L);
    }
    long patience = gathering.isEmpty() ? Long.MAX_VALUE : gatheringSince + GATHER_NANOS - nowNanos;
    for (Map<Association, Long> deadlines : deadlines) {
      if (!deadlines.isEmpty()) {
        patience = Math.min(patience, deadlines.values().iterator().next() - nowNanos);
      }
    }
    if (!unfinished.isEmpty()) {
      patience = Math.min(patience, unfinished.values().iterator().next() - nowNanos);
    }
    return patience == Long.MAX_VALUE ? Optional.empty() : Optional.of(Math.max(0, patience));
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
    for (Map<Association, Long> deadlines : deadlines) {
      loseOverdue(deadlines, nowNanos);
    }
    relieve(nowNanos);
    for (Association next = turns.next(); next != null; next = turns.next()) {
      beginTls(next, nowNanos);
    }
  }

  private void loseOverdue(Map<Association, Long> deadlines, long nowNanos) {
    while (!deadlines.isEmpty() && deadlines.values().iterator().next() - nowNanos <= 0) {
      lose(deadlines.keySet().iterator().next());
    }
  }

  /** Closes the connections that hold most if all together hold too much. */
  private void relieve(long nowNanos) {
    List<Association> excess = memory.excess();
    if (!excess.isEmpty()) {
      closings += excess.size();
      if (nowNanos - loggedAt >= LOG_NANOS) {
        loggedAt = nowNanos;
        LOG.warn(
            "messages of {} pool connections take {} bytes; the limit is {}: {} connections are closed, such as one of {}",
            byId.size(), memory.bytes(), memory.most(), excess.size(), excess.get(0).host());
      }
      excess.forEach(this::lose);
    }
    AssociationFigures now = new AssociationFigures(byId.size(), memory.bytes(), refusals, closings);
    if (!now.equals(figures)) {
      figures = now;
    }
  }

  /** Sizes and counters; for any thread. */
  AssociationFigures figures() {
    return figures;
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
    noted(association, false);
    if (association.canResume()) {
      resume(association);
    }
  }

  /** Remembers that messages of a connection wait here that can be handled. */
  void resume(Association association) {
    if (association.resume()) {
      resumed.add(association);
    }
  }

  /** How many connections are to be resumed. */
  int resumable() {
    return resumed.size();
  }

  /** The next connection to resume. */
  Association nextResumed() {
    Association next = resumed.remove();
    next.resumed();
    return next;
  }

  /**
   * Takes note of what a connection holds now.
   *
   * @param hasFinished whether a message was completed, so that another one has begun if one is unfinished
   */
  void noted(Association association, boolean hasFinished) {
    memory.count(association);
    if (hasFinished || !association.awaitsRest()) {
      unfinished.remove(association);
    }
    if (association.awaitsRest()) {
      unfinished.putIfAbsent(association, System.nanoTime() + limits.patience().toNanos());
    }
  }

  /** Gives up connections that owe the rest of a message; after what has come was read. */
  void loseUnfinished(long nowNanos) {
    loseOverdue(unfinished, nowNanos);
  }

  /** Closes a connection at once. */
  void lose(Association association) {
    association.close();
    boolean wasOpening = endTls(association) || turns.drop(association);
    boolean wasRefused = connecting.remove(association) != null || wasOpening;
    waiting.remove(association);
    unfinished.remove(association);
    memory.count(association);
    if (byId.remove(association.id()) != null) {
      Optional<InetSocketAddress> place = association.place();
      if (place.isPresent()) {
        opened.remove(new Place(association.protocol(), place.get()), association);
      }
      places(association).leave(association.host());
      lost.accept(association);
      if (wasRefused) {
        place.map(Associations::transport).ifPresent(refused);
      }
    }
  }

  void closeAll() {
    byId.values().forEach(Association::close);
  }
}
