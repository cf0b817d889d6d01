package io.rns.loadtest.work;

import java.util.Arrays;
import java.util.Optional;

/** The operations of a mix. */
public enum Kind {
  QUERY("query"), LIST("list"), ADD("add"), MKDIR("mkdir"),
  /** Replaces the reference of a junction that the same client has added. */
  UPDATE("update"),
  /** Moves an entry that the same client has added to another directory. */
  MOVE("move"),
  /** Removes an entry that the same client has added. */
  REMOVE("remove"),
  /** Begins to watch a directory, until the first event. */
  WATCH("watch");

  private final String label;

  Kind(String label) {
    this.label = label;
  }

  /** The kind with a name of the command line. */
  static Optional<Kind> of(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
  }

  /** Whether it needs an entry that the client has added before. */
  boolean needsOwn() {
    return this == UPDATE || this == MOVE || this == REMOVE;
  }

  @Override
  public String toString() {
    return label;
  }
}
