package io.rns.registrar;

import io.rns.handlespace.ElementKey;
import io.rns.rserpool.Transport;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** This registrar's view of another registrar. */
final class Peer {
  private final int id;
  /** The first host that sent messages of this peer; empty while only others have named it. */
  private Optional<Long> host = Optional.empty();

  private Optional<Transport> transport = Optional.empty();
  private long lastHeard;
  private Optional<Long> askedAt = Optional.empty();

  /** End of the time allowed to another registrar that is taking this peer over. */
  private long claimedUntil = Long.MIN_VALUE;

  private Optional<Takeover> takeover = Optional.empty();

  /** Read position of a peer that does not send its own. */
  private Optional<ElementKey> cursor = Optional.empty();

  private long cursorUntil = Long.MIN_VALUE;

  /** A takeover of this peer by this registrar. */
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

  Optional<Long> host() {
    return host;
  }

  void isAt(long host) {
    this.host = Optional.of(host);
  }

  /** When it last gave a sign of life, or was named first. */
  long lastHeard() {
    return lastHeard;
  }

  Optional<Transport> transport() {
    return transport;
  }

  void listensAt(Transport at) {
    transport = Optional.of(at);
  }

  /** Records a sign of life; cancels any takeover. */
  void heard(long now) {
    lastHeard = now;
    askedAt = Optional.empty();
    takeover = Optional.empty();
    claimedUntil = Long.MIN_VALUE;
  }

  /** When its silence must be checked next. */
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

  /** Whether it is being taken over; other takeovers then need no agreement from it. */
  boolean isGivenUp(long now) {
    return takeover.isPresent() || claimedUntil > now;
  }

  Optional<Takeover> takeover() {
    return takeover;
  }

  void takeOver(Takeover begun) {
    takeover = Optional.of(begun);
  }

  /** Another registrar announced a takeover of this peer. */
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
