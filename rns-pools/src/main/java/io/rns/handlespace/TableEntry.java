package io.rns.handlespace;

import io.rns.api.RnsPath;
import io.rns.pool.PolicyType;

/**
 * An element with the properties of its pool.
 *
 * @param handle the handle of its pool
 * @param policy the policy of its pool
 * @param element the element
 */
public record TableEntry(RnsPath handle, PolicyType policy, RegisteredElement element) {
  /** Its key. */
  public ElementKey key() {
    return new ElementKey(handle, element.id());
  }
}
