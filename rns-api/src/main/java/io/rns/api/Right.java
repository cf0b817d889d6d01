package io.rns.api;

import java.util.Locale;
import java.util.Optional;

/** What a caller may do in a directory and with its entries. */
public enum Right {
  /** See the names in a directory. */
  LIST,
  /** Read entries: their references, metadata and attributes; pass through a directory on the way to one. */
  READ,
  /** Add entries to a directory, also by moving them there. */
  ADD,
  /** Replace references and metadata of entries, and rename them within their directory. */
  CHANGE,
  /** Remove entries from a directory, also by moving them away. */
  REMOVE,
  /** Change the access rules of a directory; at the root, operate the service. */
  ADMIN;

  /** The word in commands, rules and tokens. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The right of a word as returned by {@link #text}; empty if there is none. */
  public static Optional<Right> parse(String text) {
    for (Right right : values()) {
      if (right.text().equals(text)) {
        return Optional.of(right);
      }
    }
    return Optional.empty();
  }
}
