package io.rns.handlespace;

import java.util.List;

/**
 * A page of elements.
 *
 * @param entries in order
 * @param more whether more elements may follow
 */
public record TablePage(List<TableEntry> entries, boolean more) {
  /** Copies. */
  public TablePage {
    entries = List.copyOf(entries);
  }
}
