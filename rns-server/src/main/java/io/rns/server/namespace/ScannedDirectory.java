package io.rns.server.namespace;

import io.rns.api.EntryName;
import io.rns.api.SubtreeRequest.Order;
import io.rns.server.store.ChildRows.ChildRow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory on the way of a scan, with those of its entries that have been read and are to be visited. */
final class ScannedDirectory {
  private final long id;
  private final int levels;
  private final Order order;

  /** In the order of the scan. */
  private final Deque<ScannedEntry> placed = new ArrayDeque<>();

  /**
   * In line order: directories that wait until the names that sort before their lines are through; a chain of prefixes.
   */
  private final Deque<ChildRow> delayed = new ArrayDeque<>();

  /** The last name that was read, or at which an earlier page ended; null before the first. */
  private @Nullable EntryName after;

  /** In line order: the directory whose line an earlier page has passed; lines before that one are through. */
  private @Nullable EntryName passed;

  private boolean complete;

  /**
   * An entry to be visited.
   *
   * @param last whether no other of the same directory follows
   * @param content null for what is not read: a junction's, and that of a directory at the last level
   */
  record ScannedEntry(ChildRow row, boolean last, @Nullable ScannedDirectory content) {}

  /**
   * A directory of which nothing has been read.
   *
   * @param levels of entries to be read, its own ones included; 1 or more
   */
  ScannedDirectory(long id, int levels, Order order) {
    this.id = id;
    this.levels = levels;
    this.order = order;
  }

  /**
   * Goes on where an earlier page ended, before anything is read.
   *
   * @param at the entry at which it ended
   * @param isDirectory whether that entry was a directory then
   */
  void resume(EntryName at, boolean isDirectory) {
    after = at;
    passed = isDirectory && order == Order.LINES ? at : null;
  }

  /** In line order, of a resumed directory: a directory before the name at which it goes on, whose line is behind. */
  void delay(ChildRow directory) {
    delayed.push(directory);
  }

  long id() {
    return id;
  }

  /** Where reading goes on; null at the first entry. */
  @Nullable
  EntryName after() {
    return after;
  }

  /** Whether all entries have been read. */
  boolean isComplete() {
    return complete;
  }

  /** The next entry to be visited; null if the next one has not been read, or there is none. */
  @Nullable
  ScannedEntry poll() {
    return placed.poll();
  }

  /** Those to be visited next. */
  Iterator<ScannedEntry> placed() {
    return placed.iterator();
  }

  /**
   * Takes entries that were read.
   *
   * @param rows the next ones in the order of the names
   * @param end whether there are no others; otherwise there is at least one
   */
  void take(List<ChildRow> rows, boolean end) {
    for (ChildRow row : rows) {
      after = row.name();
      if (order == Order.NAMES) {
        place(row);
      } else if (passed == null || !isBeforeLineOf(passed, row.name())) {
        takeLine(row);
      }
    }
    if (end) {
      while (!delayed.isEmpty()) {
        place(delayed.pop());
      }
      ScannedEntry last = placed.pollLast();
      if (last != null) {
        placed.add(new ScannedEntry(last.row(), true, last.content()));
      }
      complete = true;
    }
  }

  private void takeLine(ChildRow row) {
    while (!delayed.isEmpty() && !isBeforeLineOf(delayed.element().name(), row.name())) {
      place(delayed.pop());
    }
    if (row.isDirectory()) {
      delayed.push(row);
    } else {
      place(row);
    }
  }

  /** Whether a later name sorts before the line of a directory. */
  static boolean isBeforeLineOf(EntryName directory, EntryName later) {
    String line = directory.toString();
    String name = later.toString();
    return name.length() > line.length() && name.startsWith(line) && name.charAt(line.length()) < '/';
  }

  private void place(ChildRow row) {
    boolean descends = row.isDirectory() && levels > 1;
    placed.add(new ScannedEntry(row, false, descends ? new ScannedDirectory(row.id(), levels - 1, order) : null));
  }
}
