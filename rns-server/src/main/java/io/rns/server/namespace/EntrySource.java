package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.server.store.EntryKey;
import org.jspecify.annotations.Nullable;

/** Where a resolution finds entries: the cache, one state of the database, or the tree that a transaction is making. */
interface EntrySource {
  /** The entry of a key, or null. */
  @Nullable Entry find(EntryKey key);

  /** The entry of an identity, or null; it may be one that is no longer in the tree. */
  @Nullable Entry find(EntryId id);

  /** How many entries a directory has. */
  long count(EntryId directory);
}
