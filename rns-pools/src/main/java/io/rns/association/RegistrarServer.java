package io.rns.association;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.registrar.LocalCaller;
import io.rns.registrar.Registrar;
import io.rns.registrar.RegistrarSettings;
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
 * A registrar that listens: to elements and users on one port (ASAP), to other registrars on another (ENRP).
 *
 * <p>It connects to every address that an element gives for its control, so it belongs into a network where elements
 * are trusted. There is no encryption.
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

  /** What it is after its start. */
  private record Running(SharedRegistrar registrar, Carrier carrier, Thread thread) {}

  private RegistrarServer(Optional<Entrances> entrances) {
    this.entrances = entrances;
  }

  /** One that does not listen: only this process asks it, and it has no peers. */
  public static RegistrarServer withoutPorts() {
    return new RegistrarServer(Optional.empty());
  }

  /**
   * Takes two ports, on which nobody is answered before {@link #start}.
   *
   * @param address what peers are told: not the wildcard address
   * @param elementsPort for elements and users; 0 for any
   * @param peersPort for other registrars; 0 for any
   * @throws IOException if one of them is taken
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

  /** Its id of this start, unsigned; 0 before. */
  public int id() {
    return self;
  }

  /** Where elements and users are heard; only if it listens. */
  public InetSocketAddress elementsAddress() {
    return entrances.orElseThrow().elementsAddress();
  }

  /** Where other registrars are heard; only if it listens. */
  public InetSocketAddress peersAddress() {
    return entrances.orElseThrow().peersAddress();
  }

  /**
   * Begins; once.
   *
   * @param places where other registrars listen for their peers
   * @param random draws the id of this start, and what a registrar draws
   * @param clock milliseconds; where it is set, or the process pauses, the registrar's own time goes on as if nothing
   *        had been
   */
  public void start(
      List<InetSocketAddress> places, RegistrarSettings settings, RandomGenerator random, LongSupplier clock) {
    do {
      self = random.nextInt();
    } while (self == 0);
    ServerInformation information =
        new ServerInformation(self,
            hasPorts() ? Associations.transport(peersAddress()) : new Transport.Opaque(Octets.NONE));
    List<Transport> others = places.stream().map(Associations::transport).toList();
    try {
      Selector selector = Selector.open();
      Registrar registrar = new Registrar(information, 0, settings, others, random);
      SharedRegistrar shared = new SharedRegistrar(registrar, clock, selector::wakeup);
      Carrier carrier = new Carrier(self, shared, selector);
      if (entrances.isPresent()) {
        carrier.listen(entrances.get().elements(), Protocol.ASAP);
        carrier.listen(entrances.get().peers(), Protocol.ENRP);
      }
      shared.start();
      Thread thread = Thread.ofPlatform().name("rns-registrar").daemon().start(carrier::run);
      running.complete(new Running(shared, carrier, thread));
    } catch (IOException e) {
      throw new UncheckedIOException("the registrar cannot listen: " + e.getMessage(), e);
    }
  }

  /**
   * Asks the registrar something between two messages, once it has begun.
   *
   * @param question reads only
   */
  public <T> T ask(Function<Registrar, T> question) {
    return running.join().registrar().look(question);
  }

  /**
   * Has somebody of this process ask the registrar something between two messages.
   *
   * @param question asks; what it throws is thrown
   * @throws TimeoutException if the registrar does not begin, or is busy, for so long
   * @throws RnsException also {@link RnsError#UNAVAILABLE} if it is closed
   */
  <T> T call(Function<LocalCaller, T> question, long patienceMillis) throws InterruptedException, TimeoutException {
    if (closed || (running.isDone() && running.join().carrier().isClosed())) {
      throw new RnsException(RnsError.UNAVAILABLE, "the registrar of server pools is closed");
    }
    try {
      return running.get(patienceMillis, TimeUnit.MILLISECONDS).registrar().ask(question, patienceMillis);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a registrar never begins with an error", e);
    }
  }

  /** Ends at once and tells nobody, as if it died: others will notice. */
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
      // Nothing more can be done about it.
    }
  }
}
