package io.rns.handlespace;

import io.rns.api.EndpointReference;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.pool.Registration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The estimated memory of all elements, and of those that each host has registered here. Registrations here leave a
 * sixteenth of the limit to elements of other registrars, which hold the same ones: so these are never refused where
 * all have the same limit. A host has at most three quarters of what others leave.
 */
final class ElementMemory {
  /** Of an element beside its texts: what it takes in all maps and trees, and more; measured are 700 with its texts. */
  static final int BYTES_OF_ELEMENT = 800;

  /** Of a pool beside its handle. */
  static final int BYTES_OF_POOL = 1_600;

  /** Of a reference beside its texts, which are three. */
  private static final int BYTES_OF_REFERENCE = 120;

  /** Of a name of a handle beside its text. */
  private static final int BYTES_OF_NAME = 64;

  /** Of a character, at most. */
  private static final int BYTES_OF_CHARACTER = 2;

  private static final int PART_FOR_OTHERS = 16;
  private static final int PARTS_OF_HOST = 3;
  private static final int PARTS = 4;

  private final long most;

  /** By the number of the host; not of hosts that nobody knows. */
  private final Map<Long, Long> byHost = new HashMap<>();

  private long bytes;

  ElementMemory(long most) {
    this.most = most;
  }

  /** What a handle takes. */
  static long of(RnsPath handle) {
    long bytes = 0;
    for (EntryName name : handle.names()) {
      bytes += BYTES_OF_NAME + (long) BYTES_OF_CHARACTER * name.toString().length();
    }
    return bytes;
  }

  /** What a pool takes beside its elements. */
  static long ofPool(long handleBytes) {
    return BYTES_OF_POOL + handleBytes;
  }

  /**
   * What an element takes.
   *
   * @param handleBytes of the handle of its pool, which is kept for each element
   */
  static long of(Registration registration, long handleBytes) {
    long taken = BYTES_OF_ELEMENT + handleBytes;
    for (EndpointReference endpoint : registration.endpoints()) {
      taken += of(endpoint);
    }
    return registration.control().isPresent() ? taken + of(registration.control().get()) : taken;
  }

  private static long of(EndpointReference reference) {
    long characters =
        (long) reference.address().length() + reference.attributes().length() + reference.content().length();
    return BYTES_OF_REFERENCE + BYTES_OF_CHARACTER * characters;
  }

  long bytes() {
    return bytes;
  }

  /** The number of hosts that have registered elements here. */
  int hosts() {
    return byHost.size();
  }

  /**
   * The limit that a new element registered here would exceed; null if there is room.
   *
   * @param ofPool what its pool takes, if it is new, too
   */
  Roster.@Nullable Bound bound(long ofPool, long taken, long host) {
    return exceeded(bytes + ofPool + taken, byHost.getOrDefault(host, 0L) + taken, host);
  }

  /** The limit that another registration of an element would exceed; null if there is room. */
  Roster.@Nullable Bound bound(PoolMember known, long taken, long host) {
    if (taken <= known.bytes() && host == known.host()) {
      return null;
    }
    long ofHost = byHost.getOrDefault(host, 0L) - (host == known.host() ? known.bytes() : 0);
    return exceeded(bytes - known.bytes() + taken, ofHost + taken, host);
  }

  private Roster.@Nullable Bound exceeded(long all, long ofHost, long host) {
    long limit = most - most / PART_FOR_OTHERS;
    if (all > limit) {
      return new Roster.Bound("bytes of elements registered here", limit, all);
    }
    long share = (limit - (all - ofHost)) / PARTS * PARTS_OF_HOST;
    return host == Handlespace.NOBODY || ofHost <= share
        ? null
        : new Roster.Bound("bytes of elements of one host", share, ofHost);
  }

  /** The limit that an element of another registrar would exceed; null if there is room. */
  Roster.@Nullable Bound boundOfOthers(long before, long now) {
    long all = bytes - before + now;
    return now > before && all > most ? new Roster.Bound("bytes of elements", most, all) : null;
  }

  /** Counts what an element takes, for the host that has registered it here. */
  void add(long taken, long host) {
    bytes += taken;
    if (host != Handlespace.NOBODY) {
      byHost.merge(host, taken, Long::sum);
    }
  }

  /** Takes back what was counted. */
  void remove(long taken, long host) {
    bytes -= taken;
    if (host != Handlespace.NOBODY) {
      byHost.computeIfPresent(host, (number, held) -> held == taken ? null : held - taken);
    }
  }
}
