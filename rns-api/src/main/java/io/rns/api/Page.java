package io.rns.api;

import java.util.List;
import java.util.Optional;

/**
 * One page of a directory's entries, in byte order of their names.
 *
 * @param directory the directory
 * @param entries the entries of this page; may be empty although another page follows
 * @param next where the next page begins; empty on the last page
 */
public record Page(Entry.VirtualDirectory directory, List<Entry> entries, Optional<Cursor> next) {
  public Page {
    entries = List.copyOf(entries);
  }
}
