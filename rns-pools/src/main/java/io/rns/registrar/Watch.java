package io.rns.registrar;

import io.rns.handlespace.Handlespace;
import io.rns.handlespace.TablePage;
import io.rns.registrar.Peer.Takeover;
import io.rns.rserpool.EnrpMessage.InitTakeover;
import io.rns.rserpool.EnrpMessage.InitTakeoverAck;
import io.rns.rserpool.EnrpMessage.TakeoverServer;
import java.util.function.Consumer;

/** Looks after silent peers and takes over dead ones (RFC 5353, sections 3.4 and 3.5). */
final class Watch {
  private static final int STEP = 1_000;

  private final RegistrarSettings settings;
  private final Handlespace handlespace;
  private final Peers peers;
  private final Outbox outbox;
  private final RegistrarCounters tally;
  private final Consumer<TablePage> takenOver;

  /**
   * One over peers.
   *
   * @param takenOver hears of the elements that were taken over
   */
  Watch(
      RegistrarSettings settings,
      Handlespace handlespace,
      Peers peers,
      Outbox outbox,
      RegistrarCounters tally,
      Consumer<TablePage> takenOver) {
    this.settings = settings;
    this.handlespace = handlespace;
    this.peers = peers;
    this.outbox = outbox;
    this.tally = tally;
    this.takenOver = takenOver;
  }

  /** Looks after those whose silence has lasted. */
  void run(long now) {
    for (int home : handlespace.synchronisation().homes()) {
      // Elements of somebody who was never heard: they need a home, too.
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

  /** When somebody's silence has to be looked into. Asked with every message, so it copies nothing. */
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

  /** The first phase; again for those that have not agreed. The target hears it, too, in case it lives. */
  private void announce(Peer target, Takeover takeover) {
    target.takeOver(takeover);
    for (Peer peer : peers.all()) {
      if (!takeover.agreed().contains(peer.id())) {
        outbox.tell(peer, new InitTakeover(peers.self(), peer.id(), target.id()));
      }
    }
  }

  /** Another registrar begins a takeover. Of two, that with the smaller id gives way. */
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
    outbox.tell(by, new InitTakeoverAck(peers.self(), by.id(), message.target()));
    finishAll(now);
  }

  void agreed(InitTakeoverAck message, Peer by, long now) {
    Peer target = peers.find(message.target());
    if (target != null) {
      target.takeover().ifPresent(takeover -> takeover.agreed().add(by.id()));
    }
    finishAll(now);
  }

  /** The second phase, wherever all have agreed that live. */
  private void finishAll(long now) {
    if (!isTakingOver()) {
      return;
    }
    for (Peer target : peers.all()) {
      if (target.takeover().isPresent() && isAgreed(target, now)) {
        peers.remove(target);
        peers.tellAll(new TakeoverServer(peers.self(), 0, target.id()));
        move(target.id(), peers.self(), now);
        tally.tookOver();
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

  /** Another registrar has taken over. */
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
