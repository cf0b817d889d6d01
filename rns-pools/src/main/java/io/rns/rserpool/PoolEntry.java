package io.rns.rserpool;

import java.util.List;

/**
 * A pool with elements, as part of a table.
 *
 * @param handle of the pool
 * @param elements 0 or more
 */
public record PoolEntry(Octets handle, List<ElementDescription> elements) {
  /** Copies. */
  public PoolEntry {
    elements = List.copyOf(elements);
  }
}
