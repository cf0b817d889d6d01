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

/** What is to be done, and on which connections elements and peers were heard last. */
final class Outbox {
  private final Map<ElementKey, Long> ofElements = new HashMap<>();
  private final Map<Long, Set<ElementKey>> elementsOn = new HashMap<>();
  private final Map<Integer, Long> ofPeers = new HashMap<>();
  private List<Effect> effects = new ArrayList<>();

  /** What has come together since the last time. */
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

  void send(Recipient to, EnrpMessage message) {
    effects.add(new Effect.Send(to, message));
  }

  /** On its connection, or else where it listens; a peer of which neither is known hears nothing. */
  void tell(Peer peer, EnrpMessage message) {
    Long connection = ofPeers.get(peer.id());
    if (connection != null) {
      answer(connection, message);
    } else {
      peer.transport().ifPresent(transport -> send(new Recipient.Listening(transport), message));
    }
  }

  /** On its connection, or else where it listens for control; otherwise it hears nothing. */
  void tell(TableEntry element, AsapMessage message) {
    Long connection = ofElements.get(element.key());
    Optional<EndpointReference> control = element.element().registration().control();
    if (connection != null) {
      answer(connection, message);
    } else {
      control.ifPresent(
          at -> effects.add(new Effect.Send(new Recipient.Listening(Endpoints.transport(List.of(at))), message)));
    }
  }

  /** Whether {@link #tell} has a way to an element. */
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

  /** A connection is closed: the elements that were on it. */
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
