package io.rns.server.namespace;

import io.rns.api.EntryId;
import io.rns.error.Limits;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many levels of entries directories have below them, as far as recent transactions have stored it: at least so
 * many.
 *
 * <p>A stored height is an upper bound: it grows with the tree and does not shrink when entries leave. That of a
 * directory is always greater than those of the directories in it (up to the limit of the tree), so raising stops at
 * the first directory that is high enough, which is nearly always the nearest. Belongs to the writer's thread.
 */
final class Heights {
  /** The height from which on nothing more is to be known. */
  static final int MOST = Limits.TREE_DEPTH;

  /** Directories that are remembered: about 3 MiB. */
  private static final int DIRECTORIES = 32_768;

  private final Map<EntryId, Integer> stored =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<EntryId, Integer> eldest) {
          return size() > DIRECTORIES;
        }
      };

  /** What is known to be stored for a directory, 0 if nothing is. */
  int atLeast(EntryId directory) {
    return stored.getOrDefault(directory, 0);
  }

  /** Remembers what a transaction has committed. */
  void stored(Map<EntryId, Integer> heights) {
    heights.forEach((directory, height) -> stored.merge(directory, height, Math::max));
  }
}
