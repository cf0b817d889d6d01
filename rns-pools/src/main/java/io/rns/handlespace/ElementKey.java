package io.rns.handlespace;

import io.rns.api.RnsPath;

/**
 * Identifies a pool element; the order is that of element tables.
 *
 * @param handle the handle of its pool
 * @param id its id, unsigned
 */
public record ElementKey(RnsPath handle, int id) implements Comparable<ElementKey> {
  @Override
  public int compareTo(ElementKey other) {
    int order = handle.compareTo(other.handle);
    return order != 0 ? order : Integer.compareUnsigned(id, other.id);
  }
}
