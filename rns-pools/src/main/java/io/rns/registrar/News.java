package io.rns.registrar;

import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.RegisteredElement;
import io.rns.handlespace.TableEntry;
import io.rns.handlespace.TablePage;
import io.rns.handlespace.UpdateOutcome;
import io.rns.pool.PolicyType;
import io.rns.rserpool.AsapMessage.DeregistrationResponse;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.EnrpMessage.HandleUpdate;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Octets;
import io.rns.rserpool.UpdateAction;
import java.util.List;
import java.util.Optional;

/** Announcements of elements between registrars (RFC 5353, section 3.3). */
final class News {
  private static final int STEP = 1_000;

  /** How often operators are told at most that there is no room. */
  private static final long WARN_MILLIS = 60_000;

  private final Handlespace handlespace;
  private final Peers peers;
  private final Outbox outbox;
  private final RegistrarCounters counters;
  private long warnAgainAt = Long.MIN_VALUE;

  News(Handlespace handlespace, Peers peers, Outbox outbox, RegistrarCounters counters) {
    this.handlespace = handlespace;
    this.peers = peers;
    this.outbox = outbox;
    this.counters = counters;
  }

  /** Announces an element to all peers. */
  void announce(UpdateAction action, TableEntry entry) {
    peers.broadcast(update(peers.self(), action, entry));
  }

  /** Announces an element to all peers with the description it sent. */
  void announce(Octets handle, ElementDescription said, RegisteredElement known) {
    ElementDescription element = said.at(known.home(), known.version());
    peers.broadcast(new HandleUpdate(peers.self(), 0, UpdateAction.ADD_ELEMENT, handle, element));
  }

  static HandleUpdate update(int self, UpdateAction action, TableEntry entry) {
    Octets handle = Descriptions.handle(entry.handle());
    return new HandleUpdate(self, 0, action, handle, Descriptions.description(entry.policy(), entry.element()));
  }

  /** Informs an element, if reachable, that it is no longer registered. */
  void dismiss(TableEntry entry, ErrorCause cause) {
    Octets handle = Descriptions.handle(entry.handle());
    outbox.sendTo(entry, new DeregistrationResponse(handle, entry.element().id(), List.of(cause)));
    outbox.forget(entry.key());
  }

  void heard(HandleUpdate update, int from, long now) {
    switch (update.action()) {
      case ADD_ELEMENT -> added(update.handle(), update.element(), from, now);
      case DELETE_ELEMENT -> removed(update, from, now);
    }
  }

  /** Handles an element announced by a peer. Invalid announcements are ignored; the home has the valid state. */
  void added(Octets handle, ElementDescription element, int from, long now) {
    TableEntry entry;
    try {
      entry = Descriptions.entry(handle, element, versionOfOthers(handle, element));
    } catch (RnsException e) {
      return;
    }
    if (entry.element().home() == peers.self()) {
      // A registrar is the authority on its own elements.
      return;
    }
    UpdateOutcome outcome = handlespace.apply(entry, now);
    if (outcome instanceof UpdateOutcome.OtherPolicy other && isFirst(entry.policy(), other.policy())) {
      evict(entry.handle(), now);
      outcome = handlespace.apply(entry, now);
    }
    if (outcome instanceof UpdateOutcome.Full full) {
      refused(entry, full, from, now);
    }
  }

  /** The peer announces it again, since checksums differ: enough to be told now and then. */
  private void refused(TableEntry entry, UpdateOutcome.Full full, int from, long now) {
    counters.refusedUpdate();
    if (now >= warnAgainAt) {
      warnAgainAt = now + WARN_MILLIS;
      outbox.warn(
          "there is no room for elements of registrar " + Integer.toUnsignedString(from) + ", such as "
              + Integer.toUnsignedString(entry.element().id()) + " of pool " + entry.handle() + ": " + full.what()
              + " are limited to " + full.limit() + ", and this would make " + full.value());
    }
  }

  /** If two registrars create a pool with different policies, the policy with the smaller number wins everywhere. */
  private static boolean isFirst(PolicyType policy, PolicyType than) {
    return Integer.compareUnsigned(policy.code(), than.code()) < 0;
  }

  private void evict(RnsPath handle, long now) {
    List<TableEntry> entries = elements(handle);
    while (!entries.isEmpty()) {
      for (TableEntry entry : entries) {
        handlespace.deregister(entry.key(), now);
        if (entry.element().home() == peers.self()) {
          announce(UpdateAction.DELETE_ELEMENT, entry);
          dismiss(entry,
              ErrorCause.of(ErrorCause.OTHER_POLICY, "another registrar created the pool with another policy"));
        }
      }
      entries = elements(handle);
    }
  }

  private List<TableEntry> elements(RnsPath handle) {
    TablePage page = handlespace.synchronisation().table(Optional.of(new ElementKey(handle, 0)), STEP);
    return page.entries().stream().filter(entry -> entry.handle().equals(handle)).toList();
  }

  /** Other implementations send no versions: a state that differs from the known one counts as newer. */
  private long versionOfOthers(Octets handle, ElementDescription element) {
    if (element.version().isPresent()) {
      return 0;
    }
    RegisteredElement known = handlespace.element(Descriptions.key(handle, element.id())).orElse(null);
    if (known == null) {
      return 0;
    }
    boolean same = known.home() == element.home() && known.registration().equals(Descriptions.registration(element));
    return same ? known.version() : known.version() + 1;
  }

  /**
   * Handles a removal announced by a peer. It is accepted from the element's home, or if its version is newer than the
   * known one. Otherwise the element has another home by now, which decides; if that is this registrar, it sends a
   * keep-alive at once.
   */
  private void removed(HandleUpdate update, int from, long now) {
    ElementKey key;
    try {
      key = Descriptions.key(update.handle(), update.element().id());
    } catch (RnsException e) {
      return;
    }
    Optional<RegisteredElement> known = handlespace.element(key);
    if (known.isEmpty()) {
      return;
    }
    long version = update.element().version().orElse(known.get().version());
    if (known.get().home() == from || version > known.get().version()) {
      handlespace.applyRemoval(key, version, now);
      outbox.forget(key);
    } else {
      handlespace.ask(key, now);
    }
  }
}
