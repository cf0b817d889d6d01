package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;

/**
 * One page of a directory's entries, in byte order of their names.
 *
 * @param directory the directory
 * @param pageSize the maximum number of entries, 1 to {@value Limits#PAGE_ENTRIES}; a page may be shorter or even empty
 *        although another page follows
 * @param cursor where the page begins; empty for the first page
 * @param pattern the names to list; empty for all
 */
public record ListRequest(Target directory, int pageSize, Optional<Cursor> cursor, Optional<NamePattern> pattern) {
  public ListRequest {
    if (pageSize < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST, "list: page size " + pageSize + " is below 1");
    }
    Limits.check("list: a page", pageSize, Limits.PAGE_ENTRIES, "entries");
  }

  /** The first page of all entries. */
  public static ListRequest of(Target directory) {
    return new ListRequest(directory, Limits.DEFAULT_PAGE_ENTRIES, Optional.empty(), Optional.empty());
  }

  /** Returns a copy for names that match a pattern. */
  public ListRequest matching(NamePattern wanted) {
    return new ListRequest(directory, pageSize, cursor, Optional.of(wanted));
  }

  /** Returns a copy with another page size. */
  public ListRequest pagesOf(int entries) {
    return new ListRequest(directory, entries, cursor, pattern);
  }

  /** Returns a copy for the page that begins at a cursor. */
  public ListRequest from(Cursor next) {
    return new ListRequest(directory, pageSize, Optional.of(next), pattern);
  }
}
