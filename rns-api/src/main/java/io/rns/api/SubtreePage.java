package io.rns.api;

import java.util.List;
import java.util.Optional;

/**
 * A part of a subtree, as of one moment.
 *
 * @param entries the entries that are wanted, in the order of the request; maybe none, although more follow
 * @param next the position at which the page ends; empty if nothing follows
 * @param visited entries that were read for the page, wanted or not
 */
public record SubtreePage(List<Visit> entries, Optional<SubtreePosition> next, long visited) {
  /** Copies the list. */
  public SubtreePage {
    entries = List.copyOf(entries);
  }

  /**
   * An entry on the way.
   *
   * @param path that of the directory that was asked for, followed by the names below it
   * @param entry the entry
   * @param depth levels below that directory: 1 for its own entries
   * @param last whether no other entry of the same directory follows, wanted or not
   */
  public record Visit(RnsPath path, Entry entry, int depth, boolean last) {
    /** The position behind it. */
    public SubtreePosition position() {
      return SubtreePosition.of(path, entry);
    }
  }
}
