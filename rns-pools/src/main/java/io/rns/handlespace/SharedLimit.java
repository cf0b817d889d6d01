package io.rns.handlespace;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a handlespace, what is taken of it, and by which host it was registered here. Registrations here leave a
 * sixteenth of the limit to elements of other registrars, which hold the same ones: so these are never refused where
 * all have the same limit. A host has at most three quarters of what others leave.
 */
final class SharedLimit {
  private static final int PART_FOR_OTHERS = 16;
  private static final int PARTS = 4;

  private final String what;
  private final long most;

  /** By the number of the host; not of hosts that nobody knows. */
  private final Map<Long, Long> byHost = new HashMap<>();

  private long taken;

  /**
   * A limit of which nothing is taken.
   *
   * @param what is limited, in the plural
   */
  SharedLimit(String what, long most) {
    this.what = what;
    this.most = most;
  }

  long taken() {
    return taken;
  }

  /**
   * The bound that a registration here would exceed; null if there is room.
   *
   * @param more what it takes beyond what is taken; 0 or less if it only changes hands
   * @param ofHost what it takes of that for its host
   */
  Roster.@Nullable Bound bound(long more, long ofHost, long host) {
    long here = most - most / PART_FOR_OTHERS;
    if (more > 0 && taken + more > here) {
      return new Roster.Bound(what + " registered here", here, taken + more);
    }
    long held = byHost.getOrDefault(host, 0L) + ofHost;
    long left = here - (taken + more - held);
    long share = left - left / PARTS;
    return host == Handlespace.NOBODY || held <= share ? null : new Roster.Bound(what + " of one host", share, held);
  }

  /** The bound that more from another registrar would exceed; null if there is room. */
  Roster.@Nullable Bound boundOfOthers(long more) {
    return more > 0 && taken + more > most ? new Roster.Bound(what, most, taken + more) : null;
  }

  /** Counts what is taken, for the host that has registered it here. */
  void add(long more, long host) {
    taken += more;
    if (host != Handlespace.NOBODY) {
      byHost.merge(host, more, Long::sum);
    }
  }

  /** Takes back what was counted. */
  void remove(long less, long host) {
    taken -= less;
    if (host != Handlespace.NOBODY) {
      byHost.computeIfPresent(host, (number, held) -> held == less ? null : held - less);
    }
  }

  /** Counts for another host what was counted for one. */
  void move(long some, long from, long to) {
    remove(some, from);
    add(some, to);
  }

  /** The number of hosts for which something is counted. */
  int hosts() {
    return byHost.size();
  }
}
