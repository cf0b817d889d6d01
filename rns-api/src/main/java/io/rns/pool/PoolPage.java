package io.rns.pool;

import io.rns.api.RnsPath;
import java.util.List;
import java.util.Optional;

/**
 * Some pools, in the order of their handles.
 *
 * @param pools those of this page; may be empty although there is a next page
 * @param next the handle behind which the next page begins; empty if this is the last
 */
public record PoolPage(List<ListedPool> pools, Optional<RnsPath> next) {
  /** Copies. */
  public PoolPage {
    pools = List.copyOf(pools);
  }

  /**
   * A pool as a listing shows it.
   *
   * @param handle its path
   * @param policy its policy
   * @param elements how many are registered, at least 1
   * @param eligible how many of them can be selected now
   */
  public record ListedPool(RnsPath handle, PolicyType policy, int elements, int eligible) {}
}
