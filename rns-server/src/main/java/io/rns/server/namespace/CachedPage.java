package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.server.store.EntryTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first entries of a directory. Immutable but for what it remembers. */
final class CachedPage {
  private final List<Entry> entries;
  private final boolean whole;
  private final long contentBytes;
  private final boolean moving;

  /** The page of another size that was asked for last. */
  private volatile @Nullable CachedPage shorter;

  /**
   * A page.
   *
   * @param entries in the order of their names
   * @param whole whether the directory has no others
   */
  CachedPage(List<Entry> entries, boolean whole) {
    this.entries = List.copyOf(entries);
    this.whole = whole;
    this.contentBytes = entries.stream().mapToLong(EntryTable::contentBytes).sum();
    this.moving = entries.stream().anyMatch(MovingEntries::isMoving);
  }

  List<Entry> entries() {
    return entries;
  }

  /** References and metadata of the entries, about. */
  long contentBytes() {
    return contentBytes;
  }

  /** Whether it is not decided of an entry in which server group it is. */
  boolean hasMoving() {
    return moving;
  }

  /** Whether so many first entries are here, or all that there are. */
  boolean has(int most) {
    return whole || entries.size() >= most;
  }

  /** So many first entries, or all; the same page for the same number. */
  CachedPage first(int most) {
    if (most >= entries.size()) {
      return this;
    }
    CachedPage known = shorter;
    if (known == null || known.entries.size() != most) {
      known = new CachedPage(entries.subList(0, most), false);
      shorter = known;
    }
    return known;
  }
}
