package io.rns.server.overload;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Places for requests, and who has them. A caller's share is the limit divided by the number of callers that hold a
 * place or were rejected lately, rounded down, and at least one place. A free place is given
 *
 * <ul> <li>to a caller below its share always; <li>to any other only if then one stays free for each other caller below
 * its share that was rejected lately. </ul>
 *
 * A lone caller may use all places; frequent callers cannot starve others; no more places stay free than callers wait
 * for. Not thread-safe; time is in nanoseconds of a clock that only goes forward.
 */
final class AdmissionPlaces {
  /** Shortest retry time of a rejected caller. */
  static final long LEAST_RETRY_MILLIS = 20;

  /** Longest such time. */
  static final long MOST_RETRY_MILLIS = 5_000;

  /** How long a place is kept free for a rejected caller; mostly longer than its retry time. */
  static final long MEMORY_NANOS = 2_000_000_000;

  /** Maximum remembered callers: each is examined when a request needs a free place. */
  static final int REMEMBERED = 256;

  private static final double NEWEST_PART = 0.05;
  private static final double NANOS_PER_MILLI = 1_000_000;

  private final Map<String, Integer> held = new HashMap<>();

  /** When callers were rejected, oldest first. */
  private final LinkedHashMap<String, Long> turnedAway = new LinkedHashMap<>();

  private int limit;
  private int occupied;
  private double meanNanos;

  AdmissionPlaces(int limit) {
    this.limit = limit;
  }

  /** Sets the number of places; callers keep the ones they hold. */
  void limit(int places) {
    limit = places;
  }

  int occupied() {
    return occupied;
  }

  /** The free places. */
  int free() {
    return Math.max(0, limit - occupied);
  }

  /** The places that one caller has. */
  int heldBy(String caller) {
    return held.getOrDefault(caller, 0);
  }

  /** Gives a place, or not. */
  AdmissionVerdict enter(String caller, long now) {
    forget(now);
    if (free() == 0 || isKeptFree(caller)) {
      turnedAway.remove(caller);
      if (turnedAway.size() < REMEMBERED) {
        turnedAway.put(caller, now);
      }
      return new AdmissionVerdict.Rejected(retryMillis());
    }
    turnedAway.remove(caller);
    held.merge(caller, 1, Integer::sum);
    occupied++;
    return new AdmissionVerdict.Admitted();
  }

  /**
   * Takes a place back.
   *
   * @param tookNanos how long it was used; below 0 if that says nothing about the work
   */
  void leave(String caller, long tookNanos) {
    occupied--;
    held.computeIfPresent(caller, (key, places) -> places == 1 ? null : places - 1);
    if (tookNanos >= 0) {
      meanNanos = meanNanos == 0 ? tookNanos : meanNanos + NEWEST_PART * (tookNanos - meanNanos);
    }
  }

  private boolean isKeptFree(String caller) {
    if (turnedAway.isEmpty()) {
      return false;
    }
    int share = share(caller);
    return heldBy(caller) >= share && free() <= waitingBelow(share, caller);
  }

  /** The share of a requesting caller. */
  private int share(String caller) {
    int callers = held.size() + (held.containsKey(caller) ? 0 : 1);
    for (String other : turnedAway.keySet()) {
      callers += held.containsKey(other) || other.equals(caller) ? 0 : 1;
    }
    return Math.max(1, limit / callers);
  }

  private int waitingBelow(int share, String caller) {
    int waiting = 0;
    for (String other : turnedAway.keySet()) {
      waiting += !other.equals(caller) && heldBy(other) < share ? 1 : 0;
    }
    return waiting;
  }

  private void forget(long now) {
    Iterator<Long> times = turnedAway.values().iterator();
    while (times.hasNext() && now - times.next() > MEMORY_NANOS) {
      times.remove();
    }
  }

  /** The time in which all who wait could have had a place, had each wanted one. */
  private long retryMillis() {
    double millis = meanNanos / NANOS_PER_MILLI * (turnedAway.size() + 1) / limit;
    return Math.clamp((long) Math.ceil(millis), LEAST_RETRY_MILLIS, MOST_RETRY_MILLIS);
  }
}
