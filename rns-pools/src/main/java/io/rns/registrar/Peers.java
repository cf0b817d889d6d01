package io.rns.registrar;

import io.rns.handlespace.Checksum;
import io.rns.handlespace.Handlespace;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.Transport;
import io.rns.rserpool.UnreachableElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The other registrars, by unsigned id, and messages to them. */
final class Peers {
  private final ServerInformation self;
  private final Handlespace handlespace;
  private final Outbox outbox;
  private final NavigableMap<Integer, Peer> byId = new TreeMap<>(Integer::compareUnsigned);

  Peers(ServerInformation self, Handlespace handlespace, Outbox outbox) {
    this.self = self;
    this.handlespace = handlespace;
    this.outbox = outbox;
  }

  int self() {
    return self.id();
  }

  /** A copy, safe to iterate while peers are added or removed. */
  List<Peer> all() {
    return new ArrayList<>(byId.values());
  }

  /** A view, valid until a peer is added or removed. */
  Iterable<Peer> known() {
    return byId.values();
  }

  @Nullable
  Peer find(int id) {
    return byId.get(id);
  }

  /**
   * Finds or adds a peer that has sent a message; null if its host has too many, all places are taken or the id is not
   * a peer's. Without TLS a host can send messages of any ids: it cannot take the places of other hosts, and peers that
   * others only named make room.
   *
   * @param host a number of the host that sent the message
   */
  @Nullable
  Peer heard(int id, long host, long now) {
    Peer known = byId.get(id);
    if (known != null && known.host().isPresent()) {
      return known;
    }
    Optional<Long> at = Optional.of(host);
    if (byId.values().stream().filter(peer -> peer.host().equals(at)).count() >= RegistrarSettings.PEERS_OF_HOST) {
      return null;
    }
    if (known == null && byId.size() >= RegistrarSettings.PEERS) {
      // The youngest: earlier ones are closer to being taken over, if they are lost.
      byId.values().stream().filter(peer -> peer.host().isEmpty()).max(Comparator.comparingLong(Peer::lastHeard))
          .ifPresent(this::remove);
    }
    Peer peer = know(id, now);
    if (peer != null) {
      peer.isAt(host);
    }
    return peer;
  }

  /** Finds or adds a peer that others name; null if the limit is reached or the id is not a peer's. */
  @Nullable
  Peer know(int id, long now) {
    Peer known = byId.get(id);
    if (known != null || id == 0 || id == self.id() || byId.size() >= RegistrarSettings.PEERS) {
      return known;
    }
    Peer peer = new Peer(id, now);
    byId.put(id, peer);
    return peer;
  }

  void remove(Peer peer) {
    byId.remove(peer.id());
    outbox.forget(peer.id());
  }

  Presence presence(int receiver, boolean replyRequired, Optional<UnreachableElement> unreachable) {
    Checksum checksum = handlespace.synchronisation().checksum(self.id());
    return new Presence(
        self.id(),
        receiver,
        replyRequired,
        checksum.internet(),
        Optional.of(self),
        Optional.of(checksum.versions()),
        unreachable);
  }

  void greet(Peer peer, boolean replyRequired) {
    outbox.sendTo(peer, presence(peer.id(), replyRequired, Optional.empty()));
  }

  void greetAll(boolean replyRequired) {
    byId.values().forEach(peer -> greet(peer, replyRequired));
  }

  /** Greets places where peers may listen, except those of known peers. */
  void greet(List<Transport> places) {
    for (Transport place : places) {
      if (byId.values().stream().noneMatch(peer -> peer.transport().equals(Optional.of(place)))) {
        outbox.send(new Recipient.Listening(place), presence(0, true, Optional.empty()));
      }
    }
  }

  /** Sends to all peers, with no receiver in the message. */
  void broadcast(EnrpMessage message) {
    byId.values().forEach(peer -> outbox.sendTo(peer, message));
  }

  /** This registrar and all peers with a known transport. */
  List<ServerInformation> list() {
    List<ServerInformation> servers = new ArrayList<>();
    servers.add(self);
    byId.values()
        .forEach(peer -> peer.transport().ifPresent(at -> servers.add(new ServerInformation(peer.id(), at))));
    return servers;
  }
}
