package io.rns.pool;

import io.rns.api.EndpointReference;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.Optional;

/**
 * The registration of a pool element.
 *
 * @param id a random number chosen by the element, unsigned 32 bits, not 0; unique in its pool
 * @param endpoints its endpoints, preferred first; 1 to {@value Limits#EPRS_PER_ENTRY}
 * @param parameters the input of the pool's policy
 * @param lifetimeMillis the lifetime without renewal in ms, 1 or more; or {@link #FOREVER}
 * @param control where registrars reach it; if empty, only over the connection it keeps open
 */
public record Registration(
    int id,
    List<EndpointReference> endpoints,
    Parameters parameters,
    long lifetimeMillis,
    Optional<EndpointReference> control) {
  /** An unlimited lifetime. */
  public static final long FOREVER = -1;

  /**
   * Copies the endpoints and checks the limits.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public Registration {
    if (id == 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "0 is not the id of a pool element");
    }
    if (endpoints.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "pool element " + Integer.toUnsignedString(id) + " has no endpoint");
    }
    Limits.check(() -> "pool element " + Integer.toUnsignedString(id), endpoints.size(), Limits.EPRS_PER_ENTRY,
        "endpoints");
    if (lifetimeMillis != FOREVER && lifetimeMillis < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a lifetime of " + lifetimeMillis + " ms is invalid");
    }
    endpoints = List.copyOf(endpoints);
  }

  /** The registration of an element without a control address. */
  public Registration(int id, List<EndpointReference> endpoints, Parameters parameters, long lifetimeMillis) {
    this(id, endpoints, parameters, lifetimeMillis, Optional.empty());
  }

  /** Whether both have an endpoint address in common; if not, they are different elements. */
  public boolean sharesEndpointWith(Registration other) {
    if (endpoints.equals(other.endpoints)) {
      return true;
    }
    for (EndpointReference endpoint : endpoints) {
      for (EndpointReference known : other.endpoints) {
        if (endpoint.address().equals(known.address())) {
          return true;
        }
      }
    }
    return false;
  }
}
