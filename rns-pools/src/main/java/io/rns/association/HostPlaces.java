package io.rns.association;

import java.util.HashMap;
import java.util.Map;

/** Places for connections with other hosts, of which one host may take a part. */
final class HostPlaces {
  private final int most;
  private final int ofHost;
  private final Map<String, Integer> byHost = new HashMap<>();
  private int taken;

  /**
   * Free places.
   *
   * @param most the number of places
   * @param ofHost what one host may take of them
   */
  HostPlaces(int most, int ofHost) {
    this.most = most;
    this.ofHost = ofHost;
  }

  /**
   * Takes a place, if there is one.
   *
   * @param isLocal whether the other end has the loopback address, which may take all
   */
  boolean enter(String host, boolean isLocal) {
    int own = byHost.getOrDefault(host, 0);
    if (areTaken() || (own >= ofHost && !isLocal)) {
      return false;
    }
    taken++;
    byHost.put(host, own + 1);
    return true;
  }

  /** Whether there is no place for anybody. */
  boolean areTaken() {
    return taken >= most;
  }

  /** Gives a place back. */
  void leave(String host) {
    taken--;
    byHost.computeIfPresent(host, (key, places) -> places == 1 ? null : places - 1);
  }
}
