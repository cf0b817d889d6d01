package io.rns.api;

/**
 * What a request is about: a path from a directory.
 *
 * @param start the directory the path starts at, by identity
 * @param path the names from there on; empty for the entry {@code start} itself
 */
public record Target(EntryId start, RnsPath path) {
  /** The root. */
  public static final Target ROOT = new Target(EntryId.ROOT, RnsPath.ROOT);

  /** A path from the root. */
  public static Target of(RnsPath path) {
    return new Target(EntryId.ROOT, path);
  }

  /** A path from the root, from its text form. */
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

  /** The text form for messages: the path, after the identity of the start if that is not the root. */
  @Override
  public String toString() {
    return start.equals(EntryId.ROOT) ? path.toString() : "[" + start + "]" + path;
  }
}
