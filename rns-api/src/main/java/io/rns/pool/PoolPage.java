package io.rns.pool;

import io.rns.api.RnsPath;
import java.util.List;
import java.util.Optional;

/**
 * One page of pools, in the order of their handles.
 *
 * @param pools the pools of this page; may be empty although another page follows
 * @param next the handle after which the next page begins; empty on the last page
 */
public record PoolPage(List<ListedPool> pools, Optional<RnsPath> next) {
  public PoolPage {
    pools = List.copyOf(pools);
  }

  /**
   * A pool as shown in a listing.
   *
   * @param handle its path
   * @param policy its policy
   * @param elements the number of registered elements, at least 1
   * @param eligible the number of elements that can be selected now
   */
  public record ListedPool(RnsPath handle, PolicyType policy, int elements, int eligible) {}
}
