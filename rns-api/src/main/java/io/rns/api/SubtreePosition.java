package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * A place in the order in which a subtree is read: behind an entry, whether or not that still exists. Belongs to no
 * server and no time, so a reader can go on from it at any server of the group, also after a restart.
 *
 * @param path of the entry
 * @param isDirectory whether the entry is a directory; otherwise a junction
 * @param past whether it is also behind the content of the directory, which otherwise comes next
 */
public record SubtreePosition(RnsPath path, boolean isDirectory, boolean past) {
  private static final String PAST = "//";

  /** The position behind an entry, before its content. */
  public SubtreePosition(RnsPath path, boolean isDirectory) {
    this(path, isDirectory, false);
  }

  /** The position behind a directory and everything below it. */
  public static SubtreePosition past(RnsPath directory) {
    return new SubtreePosition(directory, true, true);
  }

  /**
   * Parses the text form.
   *
   * @throws RnsException {@link RnsError#INVALID_CURSOR} if it is none
   */
  public static SubtreePosition parse(String text) {
    boolean past = text.endsWith(PAST);
    boolean directory = text.length() > 1 && text.endsWith("/");
    int marks = past ? PAST.length() : directory ? 1 : 0;
    try {
      RnsPath path = RnsPath.parse(text.substring(0, text.length() - marks));
      if (!path.isRoot()) {
        return new SubtreePosition(path, directory, past);
      }
    } catch (RnsException e) {
      throw new RnsException(RnsError.INVALID_CURSOR, "no position in a subtree: " + e.getMessage(), e);
    }
    throw new RnsException(RnsError.INVALID_CURSOR, "no position in a subtree: '/' is not below a directory");
  }

  /** The position behind an entry. */
  public static SubtreePosition of(RnsPath path, Entry entry) {
    return new SubtreePosition(path, entry instanceof Entry.VirtualDirectory);
  }

  /** The position in a tree where the directory from which this one is counted is at a path. */
  public SubtreePosition below(RnsPath directory) {
    return new SubtreePosition(directory.resolve(path), isDirectory, past);
  }

  /** The position as counted from a directory above it, {@code depth} levels below the present one. */
  public SubtreePosition from(int depth) {
    return new SubtreePosition(RnsPath.of(path.names().subList(depth, path.depth())), isDirectory, past);
  }

  /** The text form: the path, with {@code /} at the end of a directory's, {@code //} if its content is behind, too. */
  @Override
  public String toString() {
    return path + (past ? PAST : isDirectory ? "/" : "");
  }
}
