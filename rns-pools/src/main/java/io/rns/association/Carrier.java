package io.rns.association;

import io.rns.error.RnsException;
import io.rns.registrar.Effect;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Message;
import io.rns.rserpool.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves messages between connections and the registrar. One thread serves all connections, since handling a message
 * costs less than waking another thread.
 */
final class Carrier {
  private static final Logger LOG = LoggerFactory.getLogger(Carrier.class);
  private static final int BUFFER_BYTES = 65_536;
  private static final long LONGEST_PAUSE_MILLIS = 60_000;
  private static final long ACCEPT_PAUSE_NANOS = 10_000_000;

  /** Decisions at a time: they may read the database. */
  private static final int DECISIONS = 64;

  /** How often answers of one connection are sent before others have their turn; each is a quarter of a MiB or more. */
  private static final int TURN_FLUSHES = 4;

  private static final AsapCaller.Decision UNDECIDED =
      new AsapCaller.Decision.Refused(
          ErrorCause.of(ErrorCause.NO_RESOURCES, "the rights of the caller could not be checked"));

  private final int self;
  private final SharedRegistrar registrar;
  private final Selector selector;
  private final BackgroundTasks tasks;
  private final FairTasks<Association> decisions;
  private final Associations associations;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private Optional<MulticastAnnouncements> announcements = Optional.empty();
  private volatile boolean closed;

  /** False while accepting is suspended after a failure. */
  private boolean accepting = true;

  private long acceptAgainAt;

  /**
   * A carrier that does not run yet.
   *
   * @param self the id of the registrar
   * @param selector closed at the end, with all registered channels
   */
  Carrier(int self, SharedRegistrar registrar, Selector selector, RegistrarProtection protection) {
    this.self = self;
    this.registrar = registrar;
    this.selector = selector;
    this.tasks = new BackgroundTasks(selector::wakeup);
    this.decisions = new FairTasks<>(tasks, DECISIONS);
    this.associations =
        new Associations(selector, protection, tasks, this::read, this::lost, this::refused, this::announce);
  }

  /** Accepts connections on this channel once the carrier runs. */
  void listen(ServerSocketChannel at, Protocol protocol) throws IOException {
    at.configureBlocking(false);
    at.register(selector, SelectionKey.OP_ACCEPT, protocol);
  }

  /** Announces the registrar, and finds others, by multicast; before the carrier runs. */
  void announce(MulticastAnnouncements by) {
    announcements = Optional.of(by);
  }

  /** Runs until it is closed, then closes everything. */
  void run() {
    try {
      while (!closed) {
        tasks.finish();
        associations.carry(registrar.due(), System.nanoTime());
        associations.flush(System.nanoTime());
        resume();
        select();
        associations.loseUnfinished(System.nanoTime());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the registrar can no longer read its connections", e);
    } finally {
      closed = true;
      end();
    }
  }

  /** Whether it has ended or is ending. */
  boolean isClosed() {
    return closed;
  }

  /** Asks it to end. */
  void close() {
    closed = true;
    selector.wakeup();
  }

  private void end() {
    tasks.close();
    associations.closeAll();
    announcements.ifPresent(MulticastAnnouncements::close);
    try {
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      // Nothing more can be done.
    }
  }

  /** Sizes and counters of the connections; for any thread. */
  AssociationFigures figures() {
    return associations.figures();
  }

  private void select() throws IOException {
    long now = System.nanoTime();
    long pause = Math.min(registrar.plan(), LONGEST_PAUSE_MILLIS);
    long patience = associations.patienceNanos(now).orElse(Long.MAX_VALUE);
    if (!accepting) {
      patience = Math.min(patience, Math.max(0, acceptAgainAt - now));
    }
    if (announcements.isPresent()) {
      patience = Math.min(patience, announcements.get().pauseNanos(now).orElse(Long.MAX_VALUE));
    }
    // Rounded up: an early wake-up only waits again.
    pause = Math.min(pause, TimeUnit.NANOSECONDS.toMillis(patience - 1) + 1);
    if (pause <= 0) {
      selector.selectNow(this::ready);
    } else {
      selector.select(this::ready, pause);
    }
    if (!accepting && System.nanoTime() - acceptAgainAt >= 0) {
      accept(true);
    }
    announcements.ifPresent(by -> by.resume(System.nanoTime()));
  }

  private void ready(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    if (key.attachment() instanceof Association association) {
      if (key.isConnectable()) {
        associations.connected(association);
      } else if (!association.isOpen()) {
        associations.open(association);
      } else {
        carry(association, key);
      }
    } else if (key.attachment() instanceof Protocol protocol) {
      accept((ServerSocketChannel) key.channel(), protocol);
    } else if (key.attachment() instanceof MulticastAnnouncements by) {
      by.receive(this::announced, System.nanoTime());
    }
  }

  private void carry(Association association, SelectionKey key) {
    if (key.isReadable()) {
      read(association);
    }
    if (key.isValid() && key.isWritable()) {
      boolean hadUnsent = association.hasUnsent();
      associations.flush(association);
      if (hadUnsent && !association.hasUnsent() && association.reads()) {
        read(association);
      }
    }
  }

  private void accept(ServerSocketChannel listening, Protocol protocol) {
    try {
      for (SocketChannel channel = listening.accept(); channel != null; channel = listening.accept()) {
        add(protocol, channel);
      }
    } catch (IOException e) {
      // No file descriptor is free: retry after a pause.
      acceptAgainAt = System.nanoTime() + ACCEPT_PAUSE_NANOS;
      accept(false);
    }
  }

  private void add(Protocol protocol, SocketChannel channel) {
    try {
      associations.accept(protocol, channel);
    } catch (IOException e) {
      // The connection ended early, which must not keep others waiting.
    }
  }

  private void accept(boolean again) {
    accepting = again;
    for (SelectionKey key : selector.keys()) {
      if (key.isValid() && key.channel() instanceof ServerSocketChannel) {
        key.interestOps(again ? SelectionKey.OP_ACCEPT : 0);
      }
    }
  }

  private void read(Association from) {
    boolean hasFinished = false;
    try {
      for (byte[] message : from.read(buffer)) {
        from.hold(message);
        hasFinished = true;
      }
    } catch (IOException | RuntimeException e) {
      // The other end is gone or speaks another protocol; closing the connection is the answer.
      lose(from, e);
    }
    hearHeld(from);
    associations.noted(from, hasFinished);
    associations.flush(System.nanoTime());
  }

  /** Handles what waits here, of those connections that could not send before; others have their turn in between. */
  private void resume() {
    for (int count = associations.resumable(); count > 0; count--) {
      Association next = associations.nextResumed();
      hearHeld(next);
      associations.noted(next, false);
    }
    associations.flush(System.nanoTime());
  }

  /** Handles messages that wait here, as far as nothing keeps the connection from being heard. */
  private void hearHeld(Association from) {
    try {
      int flushes = 0;
      while (from.hears()) {
        byte[] next = from.nextHeld();
        if (next == null) {
          from.listen();
          if (from.isOver()) {
            associations.end(from);
          }
          return;
        }
        hear(from, next);
        if (from.hasMuchUnsent()) {
          associations.flush(from);
          flushes++;
          if (flushes == TURN_FLUSHES) {
            return;
          }
        }
      }
    } catch (RuntimeException e) {
      lose(from, e);
    }
  }

  private void hear(Association from, byte[] bytes) {
    switch (from.protocol().decode(bytes)) {
      case Decoded.Understood<? extends Message> understood -> {
        if (!understood.reports().isEmpty()) {
          report(from, understood.reports());
        }
        hear(from, understood.message(), bytes.length);
      }
      case Decoded.Dropped<? extends Message> dropped -> {
        // Required by the top bits of its type.
      }
      case Decoded.DroppedAndReported<? extends Message> dropped -> report(from, List.of(dropped.cause()));
      case Decoded.Malformed<? extends Message> malformed -> {
        report(from, List.of(ErrorCause.of(ErrorCause.INVALID_VALUES, malformed.why())));
        associations.end(from);
      }
    }
  }

  private void hear(Association from, Message message, int bytes) {
    if (message instanceof AsapMessage asap) {
      if (!from.caller().isFree(asap)) {
        decide(from, asap, bytes);
        return;
      }
      Optional<ErrorCause> tooLong = Refusals.ofHandle(asap);
      if (tooLong.isPresent()) {
        report(from, List.of(tooLong.get()));
        return;
      }
    }
    associations.carry(registrar.received(from.id(), from.sender(), message), System.nanoTime());
  }

  private void decide(Association from, AsapMessage message, int bytes) {
    AsapCaller caller = from.caller();
    AtomicReference<AsapCaller.Decision> decision = new AtomicReference<>(UNDECIDED);
    from.decide(bytes);
    decisions.run(
        from.host(), from, () -> decision.set(caller.decide(message)), () -> decided(from, message, decision.get()));
  }

  private void decided(Association from, AsapMessage message, AsapCaller.Decision decision) {
    if (associations.has(from)) {
      from.decided();
      try {
        carryOut(from, message, decision);
      } catch (RuntimeException e) {
        lose(from, e);
      }
      hearHeld(from);
      associations.noted(from, false);
    }
  }

  private void carryOut(Association from, AsapMessage message, AsapCaller.Decision decision) {
    Optional<ErrorCause> tooLong = Refusals.ofHandle(message);
    switch (decision) {
      case AsapCaller.Decision.Permitted(AsapCaller.Ending ending) when tooLong.isPresent() -> {
        List<ErrorCause> causes = List.of(tooLong.get());
        ending.ended(causes);
        report(from, causes);
      }
      case AsapCaller.Decision.Permitted(AsapCaller.Ending ending) -> {
        List<Effect> effects = registrar.received(from.id(), from.sender(), message);
        ending.ended(Refusals.causes(from.id(), effects));
        associations.carry(effects, System.nanoTime());
      }
      case AsapCaller.Decision.Refused(ErrorCause cause) when tooLong.isPresent() -> report(from, List.of(cause));
      case AsapCaller.Decision.Refused(ErrorCause cause) ->
        associations.answer(from, Refusals.answer(message, cause));
    }
  }

  private void report(Association to, List<ErrorCause> causes) {
    associations.answer(to, to.protocol().report(self, causes));
  }

  /** Closes a connection that has failed; a defect that one message meets is not one of all others. */
  private void lose(Association from, Exception why) {
    if (why instanceof RuntimeException && !(why instanceof RnsException)) {
      LOG.error("a connection of {} is closed", from.host(), why);
    }
    associations.lose(from);
  }

  private void lost(Association association) {
    decisions.drop(association.host(), association);
    associations.carry(registrar.closed(association.id()), System.nanoTime());
  }

  private void announce(Protocol protocol, byte[] message) {
    announcements.ifPresent(by -> by.send(protocol, message));
  }

  private void announced(Transport.Tcp place) {
    associations.carry(registrar.announced(place), System.nanoTime());
  }

  private void refused(Transport place) {
    associations.carry(registrar.refused(place), System.nanoTime());
  }
}
