package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.server.store.EntryKey;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where a resolution finds entries: the cache, one state of the database, or the tree that a transaction is making. */
interface EntrySource {
  /** What is known of a key without asking the database, or null. */
  @Nullable
  CachedBinding peek(EntryKey key);

  /** Asks the database for keys, all at once, so that {@link #peek} knows them afterwards. */
  void load(Collection<EntryKey> keys);

  /** The entry of a key, or null. */
  default @Nullable Entry find(EntryKey key) {
    CachedBinding known = peek(key);
    if (known == null) {
      load(List.of(key));
      known = Objects.requireNonNull(peek(key));
    }
    return known.entry();
  }

  /** The entry of an identity, or null; it may be one that is no longer in the tree. */
  default @Nullable Entry find(EntryId id) {
    // The root is always in the same place, and every walk upwards ends there.
    return id.equals(EntryId.ROOT) ? find(EntryKey.ROOT) : findBelowRoot(id);
  }

  /** The same of any identity but the root's. */
  @Nullable
  Entry findBelowRoot(EntryId id);

  /** How many entries a directory has. */
  long count(EntryId directory);
}
