package io.rns.pool;

import io.rns.api.RnsPath;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;

/**
 * A request for one page of the pools at and below a path, in the order of their handles.
 *
 * @param below the path; the root for all pools
 * @param pageSize the maximum number of pools, 1 to {@value #PAGE}
 * @param after the last handle of the previous page; empty for the first page
 */
public record PoolsRequest(RnsPath below, int pageSize, Optional<RnsPath> after) {
  /** The maximum and default number of pools, or elements, of one page. */
  public static final int PAGE = 1_000;

  /**
   * Checks the page size.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public PoolsRequest {
    check(pageSize, "pools");
  }

  /** The first page. */
  public static PoolsRequest of(RnsPath below) {
    return new PoolsRequest(below, PAGE, Optional.empty());
  }

  /** Returns a copy for the page after a handle. */
  public PoolsRequest from(RnsPath handle) {
    return new PoolsRequest(below, pageSize, Optional.of(handle));
  }

  static void check(int pageSize, String what) {
    if (pageSize < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a page of " + pageSize + " " + what + " is invalid");
    }
    Limits.check("a page", pageSize, PAGE, what);
  }
}
