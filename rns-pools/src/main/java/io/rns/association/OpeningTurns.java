package io.rns.association;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns of connections that this side opens by TLS: of many at once, as after a registrar has failed, the others wait.
 * Hosts take turns, and one host has a part of them, so that hosts which never answer do not keep others waiting.
 */
final class OpeningTurns {
  private final HostPlaces places;

  /** Who waits, by host; the host whose turn is next first. */
  private final Map<String, Set<Association>> byHost = new LinkedHashMap<>();

  /**
   * Free turns.
   *
   * @param most how many open at a time
   * @param ofHost how many of them to one host, unless that is the loopback address
   */
  OpeningTurns(int most, int ofHost) {
    this.places = new HostPlaces(most, ofHost);
  }

  private boolean enters(Association association) {
    return places.enter(association.host(), association.address().isLoopbackAddress());
  }

  /** Takes a turn if there is one; otherwise the connection waits. */
  boolean begins(Association association) {
    boolean isTurn = !byHost.containsKey(association.host()) && enters(association);
    if (!isTurn) {
      byHost.computeIfAbsent(association.host(), host -> new LinkedHashSet<>()).add(association);
    }
    return isTurn;
  }

  /** Takes a turn for a connection that has waited; null if there is none. */
  @Nullable
  Association next() {
    Iterator<Map.Entry<String, Set<Association>>> hosts = byHost.entrySet().iterator();
    // Passes over hosts that have their part, which are few.
    while (!places.areTaken() && hosts.hasNext()) {
      Map.Entry<String, Set<Association>> host = hosts.next();
      Association first = host.getValue().iterator().next();
      if (enters(first)) {
        Set<Association> others = host.getValue();
        hosts.remove();
        others.remove(first);
        if (!others.isEmpty()) {
          byHost.put(first.host(), others);
        }
        return first;
      }
    }
    return null;
  }

  /** Gives a turn back. */
  void end(Association association) {
    places.leave(association.host());
  }

  /** Forgets a connection that waits; false if it does not. */
  boolean drop(Association association) {
    Set<Association> waiting = byHost.get(association.host());
    boolean hasWaited = waiting != null && waiting.remove(association);
    if (waiting != null && waiting.isEmpty()) {
      byHost.remove(association.host());
    }
    return hasWaited;
  }
}
