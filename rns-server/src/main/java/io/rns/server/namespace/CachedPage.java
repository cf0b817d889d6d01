package io.rns.server.namespace;

import io.rns.api.Entry;
import java.util.List;

/**
 * The first entries of a directory.
 *
 * @param entries in the order of their names
 * @param whole whether the directory has no others
 */
record CachedPage(List<Entry> entries, boolean whole) {
  /** Whether so many first entries are here, or all that there are. */
  boolean has(int most) {
    return whole || entries.size() >= most;
  }
}
