package io.rns.server.namespace;

import io.rns.api.EntryId;
import io.rns.server.store.EntryTable.Stretch;
import org.jspecify.annotations.Nullable;

/** A source of entries that can also list them. */
interface PageSource extends EntrySource {
  /** The first entries of a directory, so many or all that it has, if they are known without asking the database. */
  @Nullable
  CachedPage peekPage(EntryId directory, int most);

  /**
   * Entries of a directory in the order of their names.
   *
   * @param from the name to begin with or behind, as bytes
   * @param inclusive whether to begin with it
   * @param most how many; there may be fewer because they are large
   */
  Stretch page(EntryId directory, byte[] from, boolean inclusive, int most);

  /**
   * Makes sure, before a page that may be large is read, that it is this request's turn, so that none is read in vain.
   */
  void awaitTurn(long bytes);
}
