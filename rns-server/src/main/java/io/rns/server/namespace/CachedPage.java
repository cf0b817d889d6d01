package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.server.store.EntryTable;
import java.util.List;

/**
 * The first entries of a directory.
 *
 * @param entries in the order of their names
 * @param whole whether the directory has no others
 * @param contentBytes references and metadata of the entries, about
 */
record CachedPage(List<Entry> entries, boolean whole, long contentBytes) {
  CachedPage(List<Entry> entries, boolean whole) {
    this(entries, whole, contentBytes(entries));
  }

  /** Whether so many first entries are here, or all that there are. */
  boolean has(int most) {
    return whole || entries.size() >= most;
  }

  /** So many first entries, or all. */
  CachedPage first(int most) {
    return most >= entries.size() ? this : new CachedPage(entries.subList(0, most), false);
  }

  private static long contentBytes(List<Entry> entries) {
    return entries.stream().mapToLong(EntryTable::contentBytes).sum();
  }
}
