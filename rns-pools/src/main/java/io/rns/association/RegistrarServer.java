package io.rns.association;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.registrar.LocalCaller;
import io.rns.registrar.Registrar;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Octets;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A registrar that listens to elements and users on one port (ASAP) and to other registrars on another (ENRP).
 *
 * <p>It connects to every control address that an element registers. Without {@link RegistrarProtection} both ports are
 * for trusted networks only.
 */
public final class RegistrarServer implements AutoCloseable {
  private static final int BACKLOG = 1_024;
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  private final Optional<Entrances> entrances;
  private final CompletableFuture<Running> running = new CompletableFuture<>();
  private volatile int self;
  private volatile boolean closed;

  /** Where it listens. */
  private record Entrances(
      ServerSocketChannel elements, InetSocketAddress elementsAddress, ServerSocketChannel peers,
      InetSocketAddress peersAddress) {}

  /** State after the start. */
  private record Running(SharedRegistrar registrar, Carrier carrier, Thread thread) {}

  private RegistrarServer(Optional<Entrances> entrances) {
    this.entrances = entrances;
  }

  /** A registrar that does not listen: it serves only this process and has no peers. */
  public static RegistrarServer withoutPorts() {
    return new RegistrarServer(Optional.empty());
  }

  /**
   * Binds two ports; requests are served from {@link #start} on.
   *
   * @param address announced to peers: not the wildcard address
   * @param elementsPort for elements and users; 0 for any
   * @param peersPort for other registrars; 0 for any
   * @throws IOException if a port is taken
   */
  public static RegistrarServer bind(InetAddress address, int elementsPort, int peersPort) throws IOException {
    ServerSocketChannel elements = listening(address, elementsPort);
    try {
      ServerSocketChannel peers = listening(address, peersPort);
      return new RegistrarServer(Optional.of(new Entrances(elements, address(elements), peers, address(peers))));
    } catch (IOException e) {
      elements.close();
      throw e;
    }
  }

  private static ServerSocketChannel listening(InetAddress address, int port) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      return channel.bind(new InetSocketAddress(address, port), BACKLOG);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static InetSocketAddress address(ServerSocketChannel channel) throws IOException {
    return (InetSocketAddress) channel.getLocalAddress();
  }

  /** Whether it listens. */
  public boolean hasPorts() {
    return entrances.isPresent();
  }

  /** Its id, unsigned, newly drawn at each start; 0 before. */
  public int id() {
    return self;
  }

  /** Where elements and users connect; only if it listens. */
  public InetSocketAddress elementsAddress() {
    return entrances.orElseThrow().elementsAddress();
  }

  /** Where other registrars connect; only if it listens. */
  public InetSocketAddress peersAddress() {
    return entrances.orElseThrow().peersAddress();
  }

  /**
   * Starts the registrar; at most once.
   *
   * @param places where other registrars listen for peers
   * @param random draws the id of this start, and the registrar's random numbers
   * @param clock milliseconds; clock changes and pauses of the process do not advance the registrar's own time
   */
  public void start(
      List<InetSocketAddress> places, RegistrarSettings settings, RandomGenerator random, LongSupplier clock) {
    start(places, settings, random, clock, RegistrarProtection.NONE);
  }

  /**
   * The same.
   *
   * @param protection of both ports
   */
  public void start(
      List<InetSocketAddress> places, RegistrarSettings settings, RandomGenerator random, LongSupplier clock,
      RegistrarProtection protection) {
    start(places, settings, random, clock, protection, Optional.empty());
  }

  /**
   * The same.
   *
   * @param multicast where it announces itself, and finds registrars at other places; only if it listens
   * @throws UncheckedIOException if it cannot do that; the registrar has not started then
   */
  public void start(
      List<InetSocketAddress> places, RegistrarSettings settings, RandomGenerator random, LongSupplier clock,
      RegistrarProtection protection, Optional<Multicast> multicast) {
    do {
      self = random.nextInt();
    } while (self == 0);
    ServerInformation information =
        new ServerInformation(self,
            hasPorts() ? Associations.transport(peersAddress()) : new Transport.Opaque(Octets.NONE));
    List<Transport> others = places.stream().map(Associations::transport).toList();
    try {
      Selector selector = Selector.open();
      try {
        Optional<MulticastAnnouncements> announcements =
            multicast.isPresent()
                ? Optional.of(MulticastAnnouncements.open(multicast.get(), self, peersAddress(), selector))
                : Optional.empty();
        Registrar registrar =
            new Registrar(information, 0, settings, others, random, multicast.map(this::announcement));
        run(new SharedRegistrar(registrar, clock, selector::wakeup), selector, protection, announcements);
      } catch (IOException e) {
        selector.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the registrar cannot listen: " + e.getMessage(), e);
    }
  }

  private void run(
      SharedRegistrar shared, Selector selector, RegistrarProtection protection,
      Optional<MulticastAnnouncements> announcements) throws IOException {
    Carrier carrier = new Carrier(self, shared, selector, protection);
    if (entrances.isPresent()) {
      carrier.listen(entrances.get().elements(), Protocol.ASAP);
      carrier.listen(entrances.get().peers(), Protocol.ENRP);
    }
    announcements.ifPresent(carrier::announce);
    shared.start();
    Thread thread = Thread.ofPlatform().name("rns-registrar").daemon().start(carrier::run);
    running.complete(new Running(shared, carrier, thread));
  }

  private AsapMessage.ServerAnnounce announcement(Multicast multicast) {
    Optional<Octets> service =
        Optional.of(Octets.utf8(multicast.service()))
            .filter(address -> address.length() > 0 && address.length() <= Multicast.SERVICE_BYTES);
    return new AsapMessage.ServerAnnounce(self, List.of(Associations.transport(elementsAddress())), service);
  }

  /**
   * Reads from the registrar between two messages, after its start.
   *
   * @param question reads only
   */
  public <T> T ask(Function<Registrar, T> question) {
    return running.join().registrar().look(question);
  }

  /** Sizes and counters of its connections. */
  AssociationFigures figures() {
    return running.isDone() ? running.join().carrier().figures() : AssociationFigures.NONE;
  }

  /**
   * Runs a call of this process between two messages.
   *
   * @param question the call; its exceptions are passed on
   * @throws TimeoutException if the registrar does not start, or stays busy, for that long
   * @throws RnsException also {@link RnsError#UNAVAILABLE} if it is closed
   */
  <T> T call(Function<LocalCaller, T> question, long patienceMillis) throws InterruptedException, TimeoutException {
    if (closed || (running.isDone() && running.join().carrier().isClosed())) {
      throw new RnsException(RnsError.UNAVAILABLE, "the registrar of server pools is closed");
    }
    try {
      return running.get(patienceMillis, TimeUnit.MILLISECONDS).registrar().ask(question, patienceMillis);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the start of a registrar cannot fail", e);
    }
  }

  /** Stops at once without notice, as a crash would; peers detect it. */
  @Override
  public void close() {
    closed = true;
    if (running.isDone()) {
      Running ended = running.join();
      ended.carrier().close();
      join(ended.thread());
    }
    entrances.ifPresent(
        at -> {
          close(at.elements());
          close(at.peers());
        });
  }

  private static void join(Thread thread) {
    try {
      thread.join(LONGEST_END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(ServerSocketChannel listening) {
    try {
      listening.close();
    } catch (IOException e) {
      // Nothing more can be done.
    }
  }
}
