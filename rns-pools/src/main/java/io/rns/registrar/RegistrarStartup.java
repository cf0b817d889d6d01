package io.rns.registrar;

import io.rns.rserpool.EnrpMessage.ListRequest;
import io.rns.rserpool.EnrpMessage.ListResponse;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.Transport;
import java.util.List;

/**
 * The startup of a registrar: asks one place after the other for a list of registrars, then copies the table of the
 * first that answers (RFC 5353, section 3.2).
 */
final class RegistrarStartup {
  private final RegistrarSettings settings;
  private final List<Transport> places;
  private final Peers peers;
  private final PeerTables tables;
  private final Outbox outbox;
  private int asked;
  private long until = Long.MAX_VALUE;
  private int mentor;
  private boolean over;

  RegistrarStartup(RegistrarSettings settings, List<Transport> places, Peers peers, PeerTables tables, Outbox outbox) {
    this.settings = settings;
    this.places = places;
    this.peers = peers;
    this.tables = tables;
    this.outbox = outbox;
  }

  boolean isOver() {
    return over;
  }

  void start(long now) {
    if (asked == places.size()) {
      copied();
    } else {
      outbox.send(new Recipient.Listening(places.get(asked)), new ListRequest(peers.self(), 0));
      asked++;
      until = now + settings.noResponseMillis();
    }
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

  void listed(ListResponse response, Peer peer, long now) {
    if (over || tables.isReading(mentor)) {
      return;
    }
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
