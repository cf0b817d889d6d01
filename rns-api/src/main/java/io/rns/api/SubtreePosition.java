package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * A place in the order in which a subtree is read: behind an entry, whether or not that still exists. Belongs to no
 * server and no time, so a reader can go on from it at any server of the group, also after a restart.
 *
 * @param path of the entry
 * @param isDirectory whether the entry is a directory, whose content comes next; otherwise a junction
 */
public record SubtreePosition(RnsPath path, boolean isDirectory) {
  /**
   * Parses the text form.
   *
   * @throws RnsException {@link RnsError#INVALID_CURSOR} if it is none
   */
  public static SubtreePosition parse(String text) {
    boolean directory = text.length() > 1 && text.endsWith("/");
    try {
      RnsPath path = RnsPath.parse(directory ? text.substring(0, text.length() - 1) : text);
      if (!path.isRoot()) {
        return new SubtreePosition(path, directory);
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

  /** The text form: the path, with {@code /} at the end of a directory's. */
  @Override
  public String toString() {
    return isDirectory ? path + "/" : path.toString();
  }
}
