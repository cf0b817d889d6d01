package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.server.store.EntryTable;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a key.
 *
 * @param entry its entry, or null if it has none
 * @param contentBytes how long its references and metadata are
 */
record CachedBinding(@Nullable Entry entry, int contentBytes) {
  /** There is no entry. */
  static final CachedBinding MISSING = new CachedBinding(null, 0);

  static CachedBinding of(@Nullable Entry entry) {
    return entry == null ? MISSING : new CachedBinding(entry, (int) EntryTable.contentBytes(entry));
  }
}
