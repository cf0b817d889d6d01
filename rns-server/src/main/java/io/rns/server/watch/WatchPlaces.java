package io.rns.server.watch;

import io.rns.error.RnsException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Places for watchers. One caller may hold a quarter of them at most, rounded up, so that none can keep all others out.
 * Safe for use by many threads.
 */
final class WatchPlaces {
  /** A caller's part of the places. */
  static final int PART = 4;

  private static final long RETRY_MILLIS = 5_000;

  private final int most;
  private final int share;
  private final Map<String, Integer> held = new HashMap<>();
  private int taken;
  private long refused;

  WatchPlaces(int most) {
    this.most = most;
    this.share = Math.ceilDiv(most, PART);
  }

  /** Takes a place for a caller, or says why there is none. */
  synchronized Optional<RnsException> enter(String caller) {
    int own = held.getOrDefault(caller, 0);
    if (taken >= most) {
      return busy(taken + " clients watch already; the limit is " + most);
    }
    if (own >= share) {
      refused++;
      return busy("this caller watches " + own + " times already; the limit is " + share + ", a quarter of " + most);
    }
    taken++;
    held.put(caller, own + 1);
    return Optional.empty();
  }

  private static Optional<RnsException> busy(String why) {
    return Optional.of(RnsException.busy(why + "; retry in " + RETRY_MILLIS + " ms", RETRY_MILLIS));
  }

  /** How many watches were refused because of their caller's own limit. */
  synchronized long refused() {
    return refused;
  }

  /** How many places are taken. */
  synchronized int taken() {
    return taken;
  }

  /** Gives a place back. */
  synchronized void leave(String caller) {
    taken--;
    held.computeIfPresent(caller, (key, places) -> places == 1 ? null : places - 1);
  }
}
