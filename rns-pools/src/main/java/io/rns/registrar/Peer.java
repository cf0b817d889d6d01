package io.rns.registrar;

import io.rns.handlespace.ElementKey;
import io.rns.rserpool.Transport;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Another registrar, as this one sees it. */
final class Peer {
  private final int id;
  private Optional<Transport> transport = Optional.empty();
  private long lastHeard;
  private Optional<Long> askedAt = Optional.empty();

  /** Until when another registrar that takes it over is given time. */
  private long claimedUntil = Long.MIN_VALUE;

  private Optional<Takeover> takeover = Optional.empty();

  /** Where its own reading of our table is, if it does not say by itself. */
  private Optional<ElementKey> cursor = Optional.empty();

  private long cursorUntil = Long.MIN_VALUE;

  /** A takeover of it by this registrar. */
  record Takeover(long repeatAt, Set<Integer> agreed) {
    Takeover(long repeatAt) {
      this(repeatAt, new HashSet<>());
    }
  }

  Peer(int id, long now) {
    this.id = id;
    this.lastHeard = now;
  }

  int id() {
    return id;
  }

  Optional<Transport> transport() {
    return transport;
  }

  void listensAt(Transport at) {
    transport = Optional.of(at);
  }

  /** It lives: nobody needs to take it over. */
  void heard(long now) {
    lastHeard = now;
    askedAt = Optional.empty();
    takeover = Optional.empty();
    claimedUntil = Long.MIN_VALUE;
  }

  /** When its silence has to be looked into next. */
  long nextLook(RegistrarSettings settings) {
    if (takeover.isPresent()) {
      return takeover.get().repeatAt();
    }
    long look =
        askedAt.isPresent() ? askedAt.get() + settings.noResponseMillis() : lastHeard + settings.lastHeardMillis();
    return Math.max(look, claimedUntil);
  }

  boolean isAsked() {
    return askedAt.isPresent();
  }

  void asked(long now) {
    askedAt = Optional.of(now);
  }

  /** Somebody is taking it over, so its agreement to another takeover is not waited for. */
  boolean isGivenUp(long now) {
    return takeover.isPresent() || claimedUntil > now;
  }

  Optional<Takeover> takeover() {
    return takeover;
  }

  void takeOver(Takeover begun) {
    takeover = Optional.of(begun);
  }

  /** Another registrar takes it over. */
  void claimed(long until) {
    takeover = Optional.empty();
    claimedUntil = until;
  }

  Optional<ElementKey> cursor(long now) {
    return cursorUntil > now ? cursor : Optional.empty();
  }

  void cursor(Optional<ElementKey> at, long until) {
    cursor = at;
    cursorUntil = until;
  }
}
