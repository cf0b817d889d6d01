package io.rns.api;

import io.rns.api.Entry.Junction;
import java.util.Map;
import java.util.Optional;

/**
 * Which entries of a subtree are wanted: those that have everything that is named here. The root of the tree, which has
 * no name, is never among them.
 *
 * @param pattern matches the name
 * @param kind the kind
 * @param metadata keys and values that are among those of the entry
 */
public record EntryFilter(Optional<NamePattern> pattern, Optional<Kind> kind, Map<String, String> metadata) {
  /** All entries. */
  public static final EntryFilter ALL = new EntryFilter(Optional.empty(), Optional.empty(), Map.of());

  /** The kinds of entries. */
  public enum Kind {
    /** Virtual directories. */
    DIRECTORY,
    /** Junctions. */
    JUNCTION
  }

  /** Copies the map. */
  public EntryFilter {
    metadata = Map.copyOf(metadata);
  }

  /** Whether all entries are wanted. */
  public boolean isAll() {
    return pattern.isEmpty() && kind.isEmpty() && metadata.isEmpty();
  }

  /** Whether an entry of this name and kind may be wanted; without metadata to match it is. */
  public boolean mayMatch(EntryName name, Kind ofEntry) {
    return (kind.isEmpty() || kind.get() == ofEntry) && (pattern.isEmpty() || pattern.get().matches(name));
  }

  /** Whether an entry below the root is wanted. */
  public boolean matches(Entry entry) {
    return mayMatch(entry.binding().name(), entry instanceof Junction ? Kind.JUNCTION : Kind.DIRECTORY)
        && (metadata.isEmpty() || entry.metadata().values().entrySet().containsAll(metadata.entrySet()));
  }
}
