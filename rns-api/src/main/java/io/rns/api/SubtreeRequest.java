package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.Optional;

/**
 * A request for a page of everything below a directory.
 *
 * @param directory the directory
 * @param order the order of the entries; each directory comes before its content
 * @param depth levels below the directory: 1 for its own entries, up to {@value Limits#PATH_DEPTH}
 * @param filter the entries that are wanted; directories are read whether they are wanted or not
 * @param pageSize entries of a page at most, 1 to {@value Limits#PAGE_ENTRIES}; a page may end before it is full
 * @param after where the page begins: the {@code next} of the previous page, or the position of any entry
 */
public record SubtreeRequest(
    Target directory,
    Order order,
    int depth,
    EntryFilter filter,
    int pageSize,
    Optional<SubtreePosition> after) {
  /** The order of the entries of one directory. */
  public enum Order {
    /** Byte order of the names. */
    NAMES,
    /**
     * Byte order of the lines that stand for entries: path and tab for a junction, path and {@code /} for a directory.
     * The whole subtree is then in the order into which {@code LC_ALL=C sort} puts such lines.
     */
    LINES;

    /** Compares places in this order: below zero if the first comes before the second. */
    public int compare(SubtreePosition one, SubtreePosition other) {
      int common = Math.min(one.path().depth(), other.path().depth());
      for (int i = 0; i < common; i++) {
        int order =
            this == NAMES
                ? one.path().names().get(i).compareTo(other.path().names().get(i))
                : Text.compareByCodePoint(line(one, i), line(other, i));
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(depth(one, common), depth(other, common));
    }

    /** Where a position is among those that have the directory at a depth in common. */
    private static int depth(SubtreePosition position, int common) {
      return position.past() && position.path().depth() == common ? Integer.MAX_VALUE : position.path().depth();
    }

    private static String line(SubtreePosition position, int component) {
      List<EntryName> names = position.path().names();
      boolean directory = component < names.size() - 1 || position.isDirectory();
      return names.get(component) + (directory ? "/" : "\t");
    }
  }

  /**
   * Validates a request.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}; with
   *         {@link RnsError#INVALID_CURSOR} if the position is not below the directory
   */
  public SubtreeRequest {
    if (depth < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST, "depth " + depth + " is below 1");
    }
    Limits.check("the subtree", depth, Limits.PATH_DEPTH, "levels");
    if (pageSize < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST, "page size " + pageSize + " is below 1");
    }
    Limits.check("the page", pageSize, Limits.PAGE_ENTRIES, "entries");
    if (after.isPresent()) {
      RnsPath at = after.get().path();
      if (at.depth() <= directory.path().depth() || !directory.path().contains(at)) {
        throw new RnsException(
            RnsError.INVALID_CURSOR, "position " + after.get() + " is not below " + directory.path());
      }
    }
  }

  /** The same request for what follows a position. */
  public SubtreeRequest after(SubtreePosition position) {
    return new SubtreeRequest(directory, order, depth, filter, pageSize, Optional.of(position));
  }
}
