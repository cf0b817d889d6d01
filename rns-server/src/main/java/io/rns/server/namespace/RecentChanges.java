package io.rns.server.namespace;

import io.rns.api.EntryName;
import io.rns.server.store.EntryKey;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.LoggedChange.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last changes, without gaps: so many, and so many bytes, since a change has two paths of up to 32 KiB. Not
 * thread-safe.
 */
final class RecentChanges {
  /** What a change takes without its paths, and a name without its characters. */
  private static final int CHANGE_BYTES = 200;

  private static final int NAME_BYTES = 72;

  private final long mostBytes;
  /** A ring: the change with sequence {@code s} is at {@code s % ring.length}. */
  private final @Nullable LoggedChange[] ring;
  /** What each of them takes: counting that again when it leaves would take as long as the first time. */
  private final int[] sizes;
  private long first;
  private long next;
  private long bytes;

  /**
   * No changes yet.
   *
   * @param next the sequence of the next one
   */
  RecentChanges(int most, long mostBytes, long next) {
    this.ring = new LoggedChange[most];
    this.sizes = new int[most];
    this.mostBytes = mostBytes;
    this.first = next;
    this.next = next;
  }

  /** The sequence of the first change that is here; that of the next one if there is none. */
  long first() {
    return first;
  }

  /** Forgets all. */
  void restartAt(long sequence) {
    while (first < next) {
      dropFirst();
    }
    first = sequence;
    next = sequence;
  }

  /** Adds the next change, and forgets the oldest ones for it; at once if it is too large itself. */
  void add(LoggedChange change) {
    if (change.position().sequence() != next) {
      // What is older is in the log.
      restartAt(change.position().sequence());
    }
    if (next - first == ring.length) {
      dropFirst();
    }
    int slot = slot(next);
    ring[slot] = change;
    sizes[slot] = bytes(change);
    bytes += sizes[slot];
    next++;
    while (bytes > mostBytes) {
      dropFirst();
    }
  }

  /** Those from a sequence on, which has not been forgotten, at most so many. */
  List<LoggedChange> from(long sequence, int most) {
    long to = Math.min(next, sequence + most);
    List<LoggedChange> changes = new ArrayList<>((int) (to - sequence));
    for (long each = sequence; each < to; each++) {
      LoggedChange change = ring[slot(each)];
      if (each < first || change == null) {
        throw new IllegalStateException("change " + each + " has been forgotten");
      }
      changes.add(change);
    }
    return changes;
  }

  private void dropFirst() {
    int slot = slot(first);
    bytes -= sizes[slot];
    ring[slot] = null;
    first++;
  }

  private int slot(long sequence) {
    return (int) (sequence % ring.length);
  }

  private static int bytes(LoggedChange change) {
    return CHANGE_BYTES + bytes(change.place()) + (change.oldPlace() == null ? 0 : bytes(change.oldPlace()));
  }

  private static int bytes(Place place) {
    int bytes = bytes(place.key());
    if (place.directory() != null) {
      for (EntryName name : place.directory().names()) {
        bytes += bytes(name);
      }
    }
    return bytes;
  }

  private static int bytes(EntryKey key) {
    return key.name() == null ? 0 : bytes(key.name());
  }

  private static int bytes(EntryName name) {
    return NAME_BYTES + name.toString().length();
  }
}
