package io.rns.registrar;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.Checksum;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.PurgeStep;
import io.rns.handlespace.Synchronisation;
import io.rns.handlespace.TableEntry;
import io.rns.handlespace.TablePage;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.ElementName;
import io.rns.rserpool.EnrpCodec;
import io.rns.rserpool.EnrpMessage.HandleTableRequest;
import io.rns.rserpool.EnrpMessage.HandleTableResponse;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.Octets;
import io.rns.rserpool.PoolEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the tables of peers, at startup and when checksums differ, and serves ours (RFC 5353, sections 3.2.3 and 3.6).
 */
final class PeerTables {
  /** How long a full table may take, which keeps this registrar from serving: at 128 elements a block, 26 blocks/s. */
  static final long COPY_MILLIS = 300_000;

  /** A full table may have so many times the elements of a full handlespace: they come and go while it is read. */
  private static final int COPY_PARTS = 2;

  private static final int PURGE_STEP = 1_000;

  /** No element has an empty handle. */
  private static final ElementName BEGINNING = new ElementName(Octets.NONE, 0);

  private final RegistrarSettings settings;
  private final Handlespace handlespace;
  private final Peers peers;
  private final Outbox outbox;
  private final News news;
  private final NavigableMap<Integer, TablePull> pulls = new TreeMap<>();
  private final NavigableMap<Integer, Purge> purges = new TreeMap<>();

  /**
   * A delayed removal of elements missing in their home's table. If an element has moved to a home unknown here, that
   * registrar's presence arrives within the delay.
   */
  private record Purge(long audit, long at) {}

  PeerTables(RegistrarSettings settings, Handlespace handlespace, Peers peers, Outbox outbox, News news) {
    this.settings = settings;
    this.handlespace = handlespace;
    this.peers = peers;
    this.outbox = outbox;
    this.news = news;
  }

  /** Compares a peer's checksum with ours over its elements; if they differ, its table is authoritative. */
  void compare(Presence presence, Peer peer, long now) {
    Checksum ours = handlespace.synchronisation().checksum(peer.id());
    boolean same =
        ours.internet() == presence.checksum() && presence.versions().orElse(ours.versions()) == ours.versions();
    if (!same && !pulls.containsKey(peer.id()) && !purges.containsKey(peer.id())) {
      pull(peer, Optional.of(handlespace.synchronisation().beginAudit()), BEGINNING, now, now, 0);
    }
  }

  /** Starts to copy the full table. */
  void copy(Peer mentor, long now) {
    pull(mentor, Optional.empty(), BEGINNING, now, now, 0);
  }

  private void pull(Peer peer, Optional<Long> audit, ElementName after, long now, long begun, long elements) {
    long until = now + settings.noResponseMillis();
    pulls.put(peer.id(), new TablePull(peer.id(), audit, after, until, begun, elements));
    outbox.sendTo(peer, new HandleTableRequest(peers.self(), peer.id(), audit.isPresent(), Optional.of(after)));
  }

  /** Drops requests that timed out; the next presence shows whether they are still needed. */
  void run(long now) {
    if (next() > now) {
      return;
    }
    pulls.values().removeIf(pull -> pull.until() <= now);
    purges.forEach(
        (peer, purge) -> {
          if (purge.at() <= now) {
            purge(peer, purge.audit());
          }
        });
    purges.values().removeIf(purge -> purge.at() <= now);
  }

  long next() {
    if (pulls.isEmpty() && purges.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long ofPulls = pulls.values().stream().mapToLong(TablePull::until).min().orElse(Long.MAX_VALUE);
    return Math.min(ofPulls, purges.values().stream().mapToLong(Purge::at).min().orElse(Long.MAX_VALUE));
  }

  boolean isReading(int peer) {
    return pulls.containsKey(peer);
  }

  /**
   * Handles a block of a table.
   *
   * @return whether it completed a full table
   */
  boolean read(HandleTableResponse response, Peer peer, long now) {
    TablePull pull = pulls.get(peer.id());
    if (pull == null || !response.after().orElse(pull.after()).equals(pull.after())) {
      return false;
    }
    pulls.remove(peer.id());
    if (response.rejected()) {
      return false;
    }
    ElementName last = pull.after();
    for (PoolEntry pool : response.pools()) {
      for (ElementDescription element : pool.elements()) {
        news.added(pool.handle(), element, peer.id(), now);
        last = new ElementName(pool.handle(), element.id());
      }
    }
    if (response.more()) {
      long elements = pull.elements() + count(response);
      // Whoever has more, and sends nothing of it, has not shown which elements there are.
      boolean advances = !last.equals(pull.after());
      if (advances && (pull.audit().isPresent() || mayGoOn(pull, elements, now))) {
        pull(peer, pull.audit(), last, now, pull.begun(), elements);
      }
      return false;
    }
    long grace = settings.heartbeatMillis() * 9 / 8 + settings.noResponseMillis();
    pull.audit().ifPresent(audit -> purges.put(peer.id(), new Purge(audit, now + grace)));
    return pull.audit().isEmpty();
  }

  /** Whether more of a full table is read: whoever sends one without end must not keep this registrar from serving. */
  private boolean mayGoOn(TablePull pull, long elements, long now) {
    long most = (long) COPY_PARTS * settings.handlespace().elements();
    long millis = now - pull.begun();
    if (elements < most && millis < COPY_MILLIS) {
      return true;
    }
    outbox.warn(
        "the copy from registrar " + Integer.toUnsignedString(pull.peer()) + " is given up, incomplete after "
            + elements + " elements and " + millis / 1_000 + " s: it may have " + most + " elements and take "
            + COPY_MILLIS / 1_000 + " s");
    return false;
  }

  private void purge(int home, long audit) {
    Optional<ElementKey> resume = Optional.empty();
    do {
      PurgeStep step = handlespace.synchronisation().purge(home, audit, resume, PURGE_STEP);
      resume = step.resume();
    } while (resume.isPresent());
  }

  /** Serves a block from the requested position, or else from the last position of this peer. */
  void give(HandleTableRequest request, Peer peer, long now) {
    Optional<ElementKey> after;
    try {
      after = request.after().isPresent() ? key(request.after().get()) : peer.cursor(now);
    } catch (RnsException e) {
      reject(request, peer);
      return;
    }
    Synchronisation table = handlespace.synchronisation();
    TablePage page =
        request.ownOnly()
            ? table.tableOf(peers.self(), after, settings.tableItems())
            : table.table(after, settings.tableItems());
    List<TableEntry> entries = page.entries();
    HandleTableResponse response = block(request, peer, page);
    boolean goesOn = response.more() && request.after().isEmpty();
    Optional<ElementKey> last = goesOn ? Optional.of(entries.get(count(response) - 1).key()) : Optional.empty();
    peer.cursor(last, now + settings.noResponseMillis());
    outbox.sendTo(peer, response);
  }

  void reject(HandleTableRequest request, Peer peer) {
    outbox.sendTo(peer, new HandleTableResponse(peers.self(), peer.id(), false, true, List.of(), request.after()));
  }

  private static Optional<ElementKey> key(ElementName name) {
    return name.equals(BEGINNING) ? Optional.empty() : Optional.of(Descriptions.key(name.handle(), name.id()));
  }

  private static int count(HandleTableResponse response) {
    return response.pools().stream().mapToInt(pool -> pool.elements().size()).sum();
  }

  /**
   * As much of a page as fits into an answer. A single element fits, as its announcement did, but perhaps not beside
   * the name of the one before: that is left out then.
   */
  private HandleTableResponse block(HandleTableRequest request, Peer peer, TablePage page) {
    List<TableEntry> entries = page.entries();
    int count = entries.size();
    HandleTableResponse response = block(peer, entries, page.more(), request.after());
    while (!fits(response)) {
      if (count <= 1) {
        return block(peer, entries.subList(0, count), response.more(), Optional.empty());
      }
      count /= 2;
      response = block(peer, entries.subList(0, count), true, request.after());
    }
    return response;
  }

  private HandleTableResponse block(
      Peer peer, List<TableEntry> entries, boolean more, Optional<ElementName> after) {
    List<PoolEntry> pools = new ArrayList<>();
    for (int from = 0; from < entries.size();) {
      RnsPath handle = entries.get(from).handle();
      List<ElementDescription> elements = new ArrayList<>();
      for (; from < entries.size() && entries.get(from).handle().equals(handle); from++) {
        elements.add(Descriptions.description(entries.get(from).policy(), entries.get(from).element()));
      }
      pools.add(new PoolEntry(Descriptions.handle(handle), elements));
    }
    return new HandleTableResponse(peers.self(), peer.id(), more, false, pools, after);
  }

  private static boolean fits(HandleTableResponse response) {
    try {
      EnrpCodec.encode(response);
      return true;
    } catch (RnsException e) {
      if (e.error() == RnsError.LIMIT_EXCEEDED) {
        return false;
      }
      throw e;
    }
  }
}
