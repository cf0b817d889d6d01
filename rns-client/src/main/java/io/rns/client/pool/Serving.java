package io.rns.client.pool;

import io.rns.api.EndpointReference;
import java.util.List;

/**
 * The element that a call goes to.
 *
 * @param id of the element, unsigned
 * @param endpoints where it serves, the preferred first; at least one
 */
public record Serving(int id, List<EndpointReference> endpoints) {
  /** Copies. */
  public Serving {
    endpoints = List.copyOf(endpoints);
  }

  /** The preferred endpoint. */
  public EndpointReference endpoint() {
    return endpoints.get(0);
  }
}
