package io.rns.pool;

import io.rns.api.EndpointReference;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.Optional;

/**
 * What a pool element says when it registers.
 *
 * @param id chosen at random by the element, unsigned 32 bits, not 0; unique in its pool
 * @param endpoints where it serves, the preferred first; 1 to {@value Limits#EPRS_PER_ENTRY}
 * @param parameters what the policy of its pool needs to know
 * @param lifetimeMillis how long the registration holds without renewal; {@link #FOREVER} or 1 and more
 * @param control where registrars reach it; without, only on the connection that it keeps
 */
public record Registration(
    int id,
    List<EndpointReference> endpoints,
    Parameters parameters,
    long lifetimeMillis,
    Optional<EndpointReference> control) {
  /** A lifetime without end. */
  public static final long FOREVER = -1;

  /**
   * Checks and copies.
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
      throw new RnsException(RnsError.INVALID_REQUEST, "a lifetime of " + lifetimeMillis + " ms is none");
    }
    endpoints = List.copyOf(endpoints);
  }

  /** One that registrars do not reach by themselves. */
  public Registration(int id, List<EndpointReference> endpoints, Parameters parameters, long lifetimeMillis) {
    this(id, endpoints, parameters, lifetimeMillis, Optional.empty());
  }

  /** Whether one of the endpoints has an address in common with the other's; what has none is not the same element. */
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
