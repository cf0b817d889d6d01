package io.rns.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import java.util.List;

/**
 * Elements of a pool in the order of its policy.
 *
 * @param handle the pool's
 * @param policy the pool's
 * @param elements the best first, at least one, no element twice
 * @param ttlMillis how long the answer may be used without asking again, 0 or more
 */
public record PoolResolution(RnsPath handle, PolicyType policy, List<Selected> elements, long ttlMillis) {
  /** Copies. */
  public PoolResolution {
    elements = List.copyOf(elements);
  }

  /**
   * An element that was selected.
   *
   * @param id of the element, unsigned
   * @param endpoints where it serves, the preferred first; at least one
   * @param standing where it stood for the registrar before this selection: a user that orders what it got anew has to
   *        know what others have been sent
   * @param reportedMillis how long ago the element reported what the standing says
   */
  public record Selected(int id, List<EndpointReference> endpoints, SelectionState standing, long reportedMillis) {
    /** Copies. */
    public Selected {
      endpoints = List.copyOf(endpoints);
    }
  }
}
