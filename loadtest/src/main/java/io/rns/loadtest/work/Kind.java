package io.rns.loadtest.work;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The operations of a mix. */
public enum Kind {
  QUERY, LIST, ADD, MKDIR,
  /** Replaces the reference of a junction that the same client has added. */
  UPDATE,
  /** Moves an entry that the same client has added to another directory. */
  MOVE,
  /** Removes an entry that the same client has added. */
  REMOVE,
  /** Begins to watch a directory, until the first event. */
  WATCH;

  /** The kind with a name of the command line. */
  static Optional<Kind> of(String name) {
    return Arrays.stream(values()).filter(kind -> kind.toString().equals(name)).findFirst();
  }

  /** Whether it needs an entry that the client has added before. */
  boolean needsOwn() {
    return this == UPDATE || this == MOVE || this == REMOVE;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
