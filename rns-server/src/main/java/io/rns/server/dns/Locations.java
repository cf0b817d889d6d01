package io.rns.server.dns;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locations of URLs. They are kept, since elements are told of again and again, and the mark in the name of one
 * address costs more than the rest of an answer. Safe for use by many threads.
 */
final class Locations {
  /** Locations that are kept at most. */
  static final int KEPT = 4_096;

  private final HostNames names;
  private final Map<String, Optional<Location>> known = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param names makes the names of addresses
   */
  Locations(HostNames names) {
    this.names = names;
  }

  /** As {@link Location#of}. */
  Optional<Location> of(String url) {
    Optional<Location> kept = known.get(url);
    if (kept != null) {
      return kept;
    }
    Optional<Location> location = Location.of(url, names);
    if (known.size() >= KEPT) {
      // Rare enough that the least recently used ones need not be known.
      known.clear();
    }
    known.put(url, location);
    return location;
  }
}
