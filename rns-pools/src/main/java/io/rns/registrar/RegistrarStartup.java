package io.rns.registrar;

import io.rns.rserpool.EnrpMessage.ListRequest;
import io.rns.rserpool.EnrpMessage.ListResponse;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.Transport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The startup of a registrar: asks one place after the other for a list of registrars, then copies the table of the
 * first that answers (RFC 5353, section 3.2). A registrar that announces itself waits for others to be found, too.
 */
final class RegistrarStartup {
  /** How long it waits: registrars that hear the announcement contact this one at once. */
  static final long FIND_MILLIS = 1_000;

  private final RegistrarSettings settings;

  /** The configured ones, then those found. */
  private final List<Transport> places;

  private final int configured;
  private final boolean finds;
  private final Peers peers;
  private final PeerTables tables;
  private final Outbox outbox;

  /** How many of the places found each host has named by its own messages, by the host's number. */
  private final Map<Long, Integer> byHost = new HashMap<>();

  private int asked;
  private boolean isAsking;
  private long until = Long.MAX_VALUE;
  private int mentor;
  private boolean over;
  private long findUntil = Long.MIN_VALUE;
  private boolean isFinding;

  /**
   * A startup to be.
   *
   * @param finds whether others may be found that are at none of the places
   */
  RegistrarStartup(RegistrarSettings settings, List<Transport> places, boolean finds, Peers peers, PeerTables tables,
      Outbox outbox) {
    this.settings = settings;
    this.places = new ArrayList<>(places);
    this.configured = places.size();
    this.finds = finds;
    this.peers = peers;
    this.tables = tables;
    this.outbox = outbox;
  }

  boolean isOver() {
    return over;
  }

  void start(long now) {
    if (finds && findUntil == Long.MIN_VALUE) {
      findUntil = now + FIND_MILLIS;
    }
    isAsking = false;
    isFinding = asked == places.size() && now < findUntil;
    if (isFinding) {
      until = findUntil;
    } else if (asked == places.size() || (asked >= configured && now >= foundUntil())) {
      copied();
    } else {
      until = now + settings.noResponseMillis();
      until = asked < configured ? until : Math.min(until, foundUntil());
      outbox.send(new Recipient.Listening(places.get(asked)), new ListRequest(peers.self(), 0));
      asked++;
      isAsking = true;
    }
  }

  /** All places found have this time together: anybody may have announced them, and none need answer. */
  private long foundUntil() {
    return findUntil + settings.noResponseMillis();
  }

  long next() {
    return over || tables.isReading(mentor) ? Long.MAX_VALUE : until;
  }

  /** Tries the next place if the current one did not answer in time. */
  void run(long now) {
    if (!over && until <= now && !tables.isReading(mentor)) {
      start(now);
    }
  }

  /** Tries the next place at once: nothing listens at this one. */
  void refused(Transport place, long now) {
    if (!over && asked > 0 && places.get(asked - 1).equals(place) && !tables.isReading(mentor)) {
      start(now);
    }
  }

  /** Another registrar was found: it is asked after the places. Returns whether it is new and has room. */
  boolean found(Transport place, long now) {
    if (over || places.size() >= configured + FoundPlaces.MOST || places.contains(place)) {
      return false;
    }
    places.add(place);
    if (isFinding && !tables.isReading(mentor)) {
      start(now);
    }
    return true;
  }

  /** Another registrar says where it listens, which need not be true: one host cannot take the room of others. */
  void found(Transport place, long host, long now) {
    int named = byHost.getOrDefault(host, 0);
    if (named < FoundPlaces.OF_ADDRESS && found(place, now)) {
      byHost.put(host, named + 1);
    }
  }

  /** Handles an answer. There is one for each place asked: others could begin one copy after the other, for ever. */
  void listed(ListResponse response, Peer peer, long now) {
    if (!isAsking || over || tables.isReading(mentor)) {
      return;
    }
    isAsking = false;
    if (response.rejected()) {
      start(now);
      return;
    }
    for (ServerInformation server : response.servers()) {
      Peer known = peers.know(server.id(), now);
      if (known != null) {
        known.listensAt(server.transport());
      }
    }
    mentor = peer.id();
    tables.copy(peer, now);
  }

  /** Ends the startup: everything is copied, or there is no registrar to copy. */
  void copied() {
    over = true;
  }
}
