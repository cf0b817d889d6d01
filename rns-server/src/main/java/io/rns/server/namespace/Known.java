package io.rns.server.namespace;

import io.rns.api.Entry;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a key.
 *
 * @param entry its entry, or null if it has none
 */
record Known(@Nullable Entry entry) {
  /** There is no entry. */
  static final Known MISSING = new Known(null);

  static Known of(@Nullable Entry entry) {
    return entry == null ? MISSING : new Known(entry);
  }
}
