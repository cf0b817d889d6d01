package io.rns.association;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.registrar.Answered;
import io.rns.registrar.Effect;
import io.rns.registrar.LocalCaller;
import io.rns.registrar.Registrar;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A registrar that listens: to elements and users on one port (ASAP), to other registrars on another (ENRP).
 *
 * <p>It connects to every address that an element gives for its control, so it belongs into a network where elements are
 * trusted. There is no encryption.
 */
public final class RegistrarServer implements AutoCloseable {
  /** Messages that wait for the registrar, at most; connections are not read while there are so many. */
  private static final int WAITING = 10_000;

  private static final int BACKLOG = 1_024;
  private static final long ACCEPT_PAUSE_NANOS = 10_000_000;

  private final Optional<Entrances> entrances;
  private final BlockingQueue<Work> waiting = new ArrayBlockingQueue<>(WAITING);
  private final Associations associations = new Associations(new FromConnections());
  private volatile int self;
  private volatile boolean closed;

  /** What waits for the thread of the registrar. */
  private interface Work {
    List<Effect> done(Registrar registrar, long nowMillis);
  }

  /** Where it listens. */
  private record Entrances(ServerSocket elements, ServerSocket peers) {}

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
    ServerSocket elements = new ServerSocket(elementsPort, BACKLOG, address);
    try {
      ServerSocket peers = new ServerSocket(peersPort, BACKLOG, address);
      return new RegistrarServer(Optional.of(new Entrances(elements, peers)));
    } catch (IOException e) {
      elements.close();
      throw e;
    }
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
    return (InetSocketAddress) entrances.orElseThrow().elements().getLocalSocketAddress();
  }

  /** Where other registrars are heard; only if it listens. */
  public InetSocketAddress peersAddress() {
    return (InetSocketAddress) entrances.orElseThrow().peers().getLocalSocketAddress();
  }

  /**
   * Begins; once.
   *
   * @param places where other registrars listen for their peers
   * @param random draws the id of this start, and what a registrar draws
   * @param clock milliseconds; where it is set, or the process pauses, the registrar's own time goes on as if nothing had been
   */
  public void start(
      List<InetSocketAddress> places, RegistrarSettings settings, RandomGenerator random, LongSupplier clock) {
    do {
      self = random.nextInt();
    } while (self == 0);
    Registrar registrar =
        new Registrar(
            new ServerInformation(
                self, hasPorts() ? Associations.transport(peersAddress()) : new Transport.Opaque(Octets.NONE)),
            0,
            settings,
            places.stream().map(Associations::transport).toList(),
            random);
    Thread.ofVirtual().name("registrar").start(() -> serve(registrar, clock));
    entrances.ifPresent(
        at -> {
          Thread.ofVirtual().name("elements").start(() -> accept(at.elements(), Protocol.ASAP));
          Thread.ofVirtual().name("peers").start(() -> accept(at.peers(), Protocol.ENRP));
        });
  }

  private void accept(ServerSocket listening, Protocol protocol) {
    while (!closed) {
      try {
        associations.accept(protocol, listening.accept());
      } catch (IOException e) {
        // Closed, a connection that ended before it began, or no descriptor is free: tried again, but not all the time.
        LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
      }
    }
  }

  private void serve(Registrar registrar, LongSupplier clock) {
    try {
      RunningTime time = new RunningTime(clock);
      act(registrar.start(time.millis()));
      while (!closed) {
        time.due(registrar.nextTimerMillis());
        long pause = registrar.nextTimerMillis() - time.millis();
        Work next = pause <= 0 ? waiting.poll() : waiting.poll(pause, TimeUnit.MILLISECONDS);
        act(next == null ? registrar.run(time.millis()) : next.done(registrar, time.millis()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private void act(List<Effect> effects) {
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send send -> associations.send(send.to(), send.message());
        case Effect.Close close -> associations.end(close.connection());
      }
    }
  }

  /** Brings what connections hear to the thread of the registrar. */
  private final class FromConnections implements Association.Listener {
    @Override
    public void received(Association from, byte[] bytes) throws InterruptedException {
      switch (from.protocol().decode(bytes)) {
        case Decoded.Understood<? extends Message> understood -> {
          if (!understood.reports().isEmpty()) {
            report(from, understood.reports());
          }
          Message message = understood.message();
          bring((registrar, now) -> registrar.received(from.id(), message, now));
        }
        case Decoded.Dropped<? extends Message> dropped -> {
          // As its type asks for.
        }
        case Decoded.DroppedAndReported<? extends Message> dropped -> report(from, List.of(dropped.cause()));
        case Decoded.Malformed<? extends Message> malformed -> {
          report(from, List.of(ErrorCause.of(ErrorCause.INVALID_VALUES, malformed.why())));
          from.end();
        }
      }
    }

    private void report(Association to, List<ErrorCause> causes) {
      to.send(Protocol.encode(to.protocol().report(self, causes)));
    }

    @Override
    public void closed(Association association) throws InterruptedException {
      associations.closed(association);
      bring((registrar, now) -> registrar.closed(association.id(), now));
    }

    /** Waits while there is too much, unless all is over. */
    private void bring(Work news) throws InterruptedException {
      boolean brought = false;
      while (!brought && !closed) {
        brought = waiting.offer(news, 1, TimeUnit.SECONDS);
      }
    }
  }

  /**
   * Asks the registrar something between two messages.
   *
   * @param question reads only
   */
  public <T> CompletableFuture<T> ask(Function<Registrar, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Consumer<Registrar> asked = registrar -> answer.complete(question.apply(registrar));
    boolean taken =
        waiting.offer(
            (registrar, now) -> {
              asked.accept(registrar);
              return List.of();
            });
    if (!taken || closed) {
      answer.completeExceptionally(new IllegalStateException("the registrar is closed, or too much waits for it"));
    }
    return answer;
  }

  /**
   * Has somebody of this process ask the registrar something between two messages.
   *
   * @param question asks; is done when it is given up, too
   * @return fails with what the question throws
   */
  <T> CompletableFuture<T> call(Function<LocalCaller, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    boolean taken = !closed && waiting.offer((registrar, now) -> answer(registrar, question, now, answer));
    if (!taken || closed) {
      answer.completeExceptionally(
          new RnsException(
              RnsError.UNAVAILABLE, closed ? "the registrar of server pools is closed" : WAITING + " wait for the registrar"));
    }
    return answer;
  }

  private static <T> List<Effect> answer(
      Registrar registrar, Function<LocalCaller, T> question, long now, CompletableFuture<T> answer) {
    try {
      Answered<T> answered = registrar.asked(question, now);
      answer.complete(answered.answer());
      return answered.effects();
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
      return List.of();
    }
  }

  /** Ends at once and tells nobody, as if it died: others will notice. */
  @Override
  public void close() {
    closed = true;
    for (ServerSocket listening : entrances.map(at -> List.of(at.elements(), at.peers())).orElse(List.of())) {
      try {
        listening.close();
      } catch (IOException e) {
        // Nothing more can be done about it.
      }
    }
    associations.closeAll();
    waiting.clear();
  }
}
