package io.rns.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import java.util.List;

/**
 * Elements of a pool in the order of its policy.
 *
 * @param handle the path of the pool
 * @param policy the policy of the pool
 * @param elements distinct elements, best first, at least one
 * @param ttlMillis how long the result may be cached, in ms, 0 or more
 */
public record PoolResolution(RnsPath handle, PolicyType policy, List<Selected> elements, long ttlMillis) {
  public PoolResolution {
    elements = List.copyOf(elements);
  }

  /**
   * A selected element.
   *
   * @param id the id of the element, unsigned
   * @param endpoints its endpoints, preferred first; at least one
   * @param standing its state at the registrar before this selection, which includes requests of other users; a user
   *        needs it to reorder the elements
   * @param reportedMillis the age of the report behind the standing, in ms
   * @param shared what other users have met there
   */
  public record Selected(
      int id, List<EndpointReference> endpoints, SelectionState standing, long reportedMillis,
      SharedExperience shared) {
    public Selected {
      endpoints = List.copyOf(endpoints);
    }

    /** The same with what others have met. */
    public Selected with(SharedExperience other) {
      return new Selected(id, endpoints, standing, reportedMillis, other);
    }
  }
}
