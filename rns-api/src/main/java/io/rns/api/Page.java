package io.rns.api;

import java.util.List;
import java.util.Optional;

/**
 * Some entries of a directory, in byte order of their names.
 *
 * @param directory the directory
 * @param entries the entries of this page; may be empty although there is a next page
 * @param next where the next page begins; empty if this is the last
 */
public record Page(Entry.VirtualDirectory directory, List<Entry> entries, Optional<Cursor> next) {
  /** Copies the entries. */
  public Page {
    entries = List.copyOf(entries);
  }
}
