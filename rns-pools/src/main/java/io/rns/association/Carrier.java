package io.rns.association;

import io.rns.error.RnsException;
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
import java.util.concurrent.TimeUnit;

/**
 * Brings what connections hear to the registrar, and what it answers to them: one thread for all, since a message costs
 * less than to wake another thread.
 */
final class Carrier {
  private static final int BUFFER_BYTES = 65_536;
  private static final long LONGEST_PAUSE_MILLIS = 60_000;
  private static final long ACCEPT_PAUSE_NANOS = 10_000_000;

  private final int self;
  private final SharedRegistrar registrar;
  private final Selector selector;
  private final Associations associations;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private volatile boolean closed;

  /** Set while nobody is accepted, because the last one could not be. */
  private boolean accepting = true;

  private long acceptAgainAt;

  /**
   * One that does not run.
   *
   * @param self the id of the registrar
   * @param selector closed at the end, with all that is registered
   */
  Carrier(int self, SharedRegistrar registrar, Selector selector) {
    this.self = self;
    this.registrar = registrar;
    this.selector = selector;
    this.associations = new Associations(selector, this::lost, this::refused);
  }

  /** Accepts connections there, when it runs. */
  void listen(ServerSocketChannel at, Protocol protocol) throws IOException {
    at.configureBlocking(false);
    at.register(selector, SelectionKey.OP_ACCEPT, protocol);
  }

  /** Runs until it is closed; closes everything then. */
  void run() {
    try {
      while (!closed) {
        associations.carry(registrar.due(), System.nanoTime());
        associations.flush(System.nanoTime());
        select();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the registrar cannot hear its connections any more", e);
    } finally {
      closed = true;
      end();
    }
  }

  /** Whether it has ended or is about to. */
  boolean isClosed() {
    return closed;
  }

  /** Has it end soon. */
  void close() {
    closed = true;
    selector.wakeup();
  }

  private void end() {
    associations.closeAll();
    try {
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      // Nothing more can be done about it.
    }
  }

  private void select() throws IOException {
    long now = System.nanoTime();
    long pause = Math.min(registrar.plan(), LONGEST_PAUSE_MILLIS);
    long patience = associations.patienceNanos(now).orElse(Long.MAX_VALUE);
    if (!accepting) {
      patience = Math.min(patience, Math.max(0, acceptAgainAt - now));
    }
    // Rounded up: who wakes too early only waits again.
    pause = Math.min(pause, TimeUnit.NANOSECONDS.toMillis(patience - 1) + 1);
    if (pause <= 0) {
      selector.selectNow(this::ready);
    } else {
      selector.select(this::ready, pause);
    }
    if (!accepting && System.nanoTime() - acceptAgainAt >= 0) {
      accept(true);
    }
  }

  private void ready(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    if (key.attachment() instanceof Association association) {
      if (key.isConnectable()) {
        associations.connected(association);
      } else if (key.isReadable()) {
        read(association);
      }
      if (key.isValid() && key.isWritable()) {
        associations.flush(association);
      }
    } else if (key.attachment() instanceof Protocol protocol) {
      accept((ServerSocketChannel) key.channel(), protocol);
    }
  }

  private void accept(ServerSocketChannel listening, Protocol protocol) {
    try {
      for (SocketChannel channel = listening.accept(); channel != null; channel = listening.accept()) {
        associations.accept(protocol, channel);
      }
    } catch (IOException e) {
      // A connection that ended before it began, or no descriptor is free: tried again, but not all the time.
      acceptAgainAt = System.nanoTime() + ACCEPT_PAUSE_NANOS;
      accept(false);
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
    try {
      for (byte[] bytes : from.read(buffer)) {
        hear(from, bytes);
      }
    } catch (IOException | RnsException e) {
      // The other end is gone, or speaks something else: that the connection is closed says it all.
      associations.lose(from);
    }
    associations.flush(System.nanoTime());
  }

  private void hear(Association from, byte[] bytes) {
    switch (from.protocol().decode(bytes)) {
      case Decoded.Understood<? extends Message> understood -> {
        if (!understood.reports().isEmpty()) {
          report(from, understood.reports());
        }
        associations.carry(registrar.received(from.id(), understood.message()), System.nanoTime());
      }
      case Decoded.Dropped<? extends Message> dropped -> {
        // As its type asks for.
      }
      case Decoded.DroppedAndReported<? extends Message> dropped -> report(from, List.of(dropped.cause()));
      case Decoded.Malformed<? extends Message> malformed -> {
        report(from, List.of(ErrorCause.of(ErrorCause.INVALID_VALUES, malformed.why())));
        associations.end(from);
      }
    }
  }

  private void report(Association to, List<ErrorCause> causes) {
    associations.answer(to, to.protocol().report(self, causes));
  }

  private void lost(Association association) {
    associations.carry(registrar.closed(association.id()), System.nanoTime());
  }

  private void refused(Transport place) {
    associations.carry(registrar.refused(place), System.nanoTime());
  }
}
