package io.rns.registrar;

import io.rns.handlespace.Handlespace;
import io.rns.handlespace.TablePage;
import io.rns.registrar.Peer.Takeover;
import io.rns.rserpool.EnrpMessage.InitTakeover;
import io.rns.rserpool.EnrpMessage.InitTakeoverAck;
import io.rns.rserpool.EnrpMessage.TakeoverServer;
import java.util.function.Consumer;

/** Detects failed peers and takes them over (RFC 5353, sections 3.4 and 3.5). */
final class Watch {
  private static final int STEP = 1_000;

  private final RegistrarSettings settings;
  private final Handlespace handlespace;
  private final Peers peers;
  private final Outbox outbox;
  private final RegistrarCounters counters;
  private final Consumer<TablePage> takenOver;

  /**
   * Watches the peers.
   *
   * @param takenOver receives the elements taken over
   */
  Watch(
      RegistrarSettings settings,
      Handlespace handlespace,
      Peers peers,
      Outbox outbox,
      RegistrarCounters counters,
      Consumer<TablePage> takenOver) {
    this.settings = settings;
    this.handlespace = handlespace;
    this.peers = peers;
    this.outbox = outbox;
    this.counters = counters;
    this.takenOver = takenOver;
  }

  /** Checks peers whose silence has lasted too long. */
  void run(long now) {
    for (int home : handlespace.synchronisation().homes()) {
      // A home never heard of is watched as well, so that its elements get a new home.
      peers.know(home, now);
    }
    if (next() <= now) {
      for (Peer peer : peers.all()) {
        if (peer.nextLook(settings) <= now) {
          look(peer, now);
        }
      }
    }
    finishAll(now);
  }

  /** When a peer's silence must be checked next. Called with every message, so it copies nothing. */
  long next() {
    long next = Long.MAX_VALUE;
    for (Peer peer : peers.known()) {
      next = Math.min(next, peer.nextLook(settings));
    }
    return next;
  }

  private void look(Peer peer, long now) {
    if (peer.takeover().isPresent()) {
      announce(peer, new Takeover(now + settings.takeoverMillis(), peer.takeover().get().agreed()));
    } else if (peer.isAsked()) {
      announce(peer, new Takeover(now + settings.takeoverMillis()));
    } else {
      peer.asked(now);
      peers.greet(peer, true);
    }
  }

  /** First phase of a takeover; repeated for peers that have not agreed. The target is included in case it lives. */
  private void announce(Peer target, Takeover takeover) {
    target.takeOver(takeover);
    for (Peer peer : peers.all()) {
      if (!takeover.agreed().contains(peer.id())) {
        outbox.sendTo(peer, new InitTakeover(peers.self(), peer.id(), target.id()));
      }
    }
  }

  /**
   * Handles the takeover announcement of another registrar. Of two competing registrars, the one with the smaller id
   * yields.
   */
  void announced(InitTakeover message, Peer by, long now) {
    if (message.target() == peers.self()) {
      peers.greetAll(false);
      return;
    }
    Peer target = peers.find(message.target());
    if (target != null) {
      if (target.takeover().isPresent() && Integer.compareUnsigned(peers.self(), by.id()) > 0) {
        return;
      }
      target.claimed(now + settings.takeoverMillis());
    }
    outbox.sendTo(by, new InitTakeoverAck(peers.self(), by.id(), message.target()));
    finishAll(now);
  }

  void agreed(InitTakeoverAck message, Peer by, long now) {
    Peer target = peers.find(message.target());
    if (target != null) {
      target.takeover().ifPresent(takeover -> takeover.agreed().add(by.id()));
    }
    finishAll(now);
  }

  /** Second phase, for each target on which all live peers have agreed. */
  private void finishAll(long now) {
    if (!isTakingOver()) {
      return;
    }
    for (Peer target : peers.all()) {
      if (target.takeover().isPresent() && isAgreed(target, now)) {
        peers.remove(target);
        peers.broadcast(new TakeoverServer(peers.self(), 0, target.id()));
        move(target.id(), peers.self(), now);
        counters.tookOver();
      }
    }
  }

  private boolean isTakingOver() {
    for (Peer peer : peers.known()) {
      if (peer.takeover().isPresent()) {
        return true;
      }
    }
    return false;
  }

  private boolean isAgreed(Peer target, long now) {
    return target.takeover().isPresent()
        && peers.all().stream()
            .filter(peer -> peer != target && !peer.isGivenUp(now))
            .allMatch(peer -> target.takeover().get().agreed().contains(peer.id()));
  }

  /** Handles a takeover completed by another registrar. */
  void finished(TakeoverServer message, Peer by, long now) {
    if (message.target() == peers.self()) {
      peers.greetAll(false);
      return;
    }
    Peer target = peers.find(message.target());
    if (target != null) {
      peers.remove(target);
    }
    if (message.target() != by.id() && message.target() != 0) {
      move(message.target(), by.id(), now);
    }
    finishAll(now);
  }

  private void move(int from, int to, long now) {
    TablePage page;
    do {
      page = handlespace.synchronisation().takeOver(from, to, STEP, now);
      if (to == peers.self()) {
        takenOver.accept(page);
      }
    } while (page.more());
  }
}
