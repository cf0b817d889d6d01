package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.server.store.EntryKey;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a resolution finds entries: the cache, one state of the database, or the tree that a transaction is making. */
interface EntrySource {
  /** What whoever asks may do. */
  TreeAccess access();

  /** What is known of a key without asking the database, or null. */
  @Nullable
  CachedBinding peek(EntryKey key);

  /** Asks the database for keys, all at once, so that {@link #peek} knows them afterwards. */
  void load(Collection<EntryKey> keys);

  /**
   * Asks the database for a key, and as far as that costs no further round trip for names that follow one another below
   * it.
   */
  void loadPath(EntryKey key, List<EntryName> below);

  /** The entry of an identity other than the root's, or null; it may be one that is no longer in the tree. */
  @Nullable
  Entry findBelowRoot(EntryId id);

  /** How many entries a directory has. */
  long count(EntryId directory);
}
