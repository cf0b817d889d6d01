package io.rns.pool;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * A request for one page of the elements of a pool, in the order of their ids (as unsigned numbers).
 *
 * @param handle the path of the pool
 * @param pageSize the maximum number of elements, 1 to {@value PoolsRequest#PAGE}
 * @param after the last id of the previous page, unsigned; 0, which is not a valid id, for the first page
 */
public record ElementsRequest(RnsPath handle, int pageSize, int after) {
  /**
   * Checks the page size.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public ElementsRequest {
    PoolsRequest.check(pageSize, "elements");
  }

  /** The first page. */
  public static ElementsRequest of(RnsPath handle) {
    return new ElementsRequest(handle, PoolsRequest.PAGE, 0);
  }

  /** Returns a copy for the page after an id. */
  public ElementsRequest from(int id) {
    return new ElementsRequest(handle, pageSize, id);
  }
}
