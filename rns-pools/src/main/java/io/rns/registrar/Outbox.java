package io.rns.registrar;

import io.rns.api.EndpointReference;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.TableEntry;
import io.rns.pool.Registration;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Collects effects, and tracks the connection on which each element and peer was last heard. */
final class Outbox {
  private final Map<ElementKey, Long> ofElements = new HashMap<>();
  private final Map<Long, Set<ElementKey>> elementsOn = new HashMap<>();
  private final Map<Integer, Long> ofPeers = new HashMap<>();
  private List<Effect> effects = new ArrayList<>();

  /** Returns and clears the collected effects. */
  List<Effect> take() {
    List<Effect> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  void answer(long connection, Message message) {
    effects.add(new Effect.Send(new Recipient.Connected(connection), message));
  }

  void close(long connection) {
    effects.add(new Effect.Close(connection));
  }

  void warn(String text) {
    effects.add(new Effect.Warn(text));
  }

  /** Announces by multicast. */
  void announce(Message message) {
    effects.add(new Effect.Send(new Recipient.Everyone(), message));
  }

  void send(Recipient to, EnrpMessage message) {
    effects.add(new Effect.Send(to, message));
  }

  /** Sends on the peer's connection, or else to its transport; drops the message if neither is known. */
  void sendTo(Peer peer, EnrpMessage message) {
    Long connection = ofPeers.get(peer.id());
    if (connection != null) {
      answer(connection, message);
    } else {
      peer.transport().ifPresent(transport -> send(new Recipient.Listening(transport), message));
    }
  }

  /** Sends on the element's connection, or else to its control transport; drops the message if there is neither. */
  void sendTo(TableEntry element, AsapMessage message) {
    Long connection = ofElements.get(element.key());
    Optional<EndpointReference> control = element.element().registration().control();
    if (connection != null) {
      answer(connection, message);
    } else {
      control.ifPresent(
          at -> effects.add(new Effect.Send(new Recipient.Listening(Endpoints.transport(List.of(at))), message)));
    }
  }

  /** Whether {@link #sendTo(TableEntry, AsapMessage)} can reach an element. */
  boolean reaches(ElementKey key, Registration element) {
    return ofElements.containsKey(key) || element.control().isPresent();
  }

  void heard(ElementKey element, long connection) {
    Long known = ofElements.get(element);
    if (known != null && known == connection) {
      return;
    }
    forget(element);
    ofElements.put(element, connection);
    elementsOn.computeIfAbsent(connection, c -> new LinkedHashSet<>()).add(element);
  }

  void heard(int peer, long connection) {
    ofPeers.put(peer, connection);
  }

  void forget(ElementKey element) {
    Long connection = ofElements.remove(element);
    if (connection != null) {
      Set<ElementKey> others = elementsOn.get(connection);
      if (others != null && others.remove(element) && others.isEmpty()) {
        elementsOn.remove(connection);
      }
    }
  }

  void forget(int peer) {
    ofPeers.remove(peer);
  }

  /** Forgets a closed connection and returns the elements that used it. */
  Set<ElementKey> closed(long connection) {
    ofPeers.values().removeIf(c -> c == connection);
    Set<ElementKey> elements = elementsOn.remove(connection);
    if (elements == null) {
      return Set.of();
    }
    elements.forEach(ofElements::remove);
    return elements;
  }
}
