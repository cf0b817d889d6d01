package io.rns.handlespace;

import java.util.List;

/**
 * A step of a walk over the handlespace.
 *
 * @param entries in order
 * @param more whether something may come after the last of them
 */
public record TablePage(List<TableEntry> entries, boolean more) {
  /** Copies. */
  public TablePage {
    entries = List.copyOf(entries);
  }
}
