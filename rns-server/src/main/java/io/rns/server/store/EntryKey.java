package io.rns.server.store;

import io.rns.api.EntryName;

/**
 * The primary key of an entry.
 *
 * @param parent the directory's id, 0 for the root's own row
 * @param name the name in it, null for the root's own row
 */
public record EntryKey(long parent, @org.jspecify.annotations.Nullable EntryName name) {
  private static final byte[] NO_NAME = {};

  /** The key of the root's row. */
  public static final EntryKey ROOT = new EntryKey(0, null);

  byte[] nameBytes() {
    return name == null ? NO_NAME : name.utf8();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(parent * 0x9E3779B97F4A7C15L) ^ (name == null ? 0 : name.hashCode());
  }
}
