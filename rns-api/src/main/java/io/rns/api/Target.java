package io.rns.api;

/**
 * The entry a request refers to: a path from a directory.
 *
 * @param start the identity of the directory at which the path starts
 * @param path the names below it; empty for {@code start} itself
 */
public record Target(EntryId start, RnsPath path) {
  public static final Target ROOT = new Target(EntryId.ROOT, RnsPath.ROOT);

  /** A path from the root. */
  public static Target of(RnsPath path) {
    return new Target(EntryId.ROOT, path);
  }

  /** A path from the root, in text form. */
  public static Target of(String path) {
    return of(RnsPath.parse(path));
  }

  /** An entry by identity. */
  public static Target of(EntryId id) {
    return new Target(id, RnsPath.ROOT);
  }

  /** An entry of this directory. */
  public Target child(EntryName name) {
    return new Target(start, path.child(name));
  }

  /** The text form for messages: the path, preceded by the identity of the start directory unless that is the root. */
  @Override
  public String toString() {
    return start.equals(EntryId.ROOT) ? path.toString() : "[" + start + "]" + path;
  }
}
