package io.rns.rserpool;

import io.rns.pool.Occupancy;
import java.util.Optional;

/**
 * A pool element (RFC 5354, section 3.10), with two extensions that other implementations skip.
 *
 * @param id unsigned
 * @param home the element's home registrar, unsigned; 0 in a registration if the element does not know it
 * @param lifeSeconds the lifetime of the registration; {@link #FOREVER} for no end
 * @param user where users reach it
 * @param policy its parameters for selection
 * @param control where registrars reach it; if absent, only on the connection it keeps open
 * @param version extension: of two states of an element the higher is newer; 0 or more
 * @param occupancy extension: its accepted and current requests
 */
public record ElementDescription(
    int id,
    int home,
    int lifeSeconds,
    Transport user,
    SelectionPolicy policy,
    Optional<Transport> control,
    Optional<Long> version,
    Optional<Occupancy> occupancy) {
  /** An infinite lifetime. */
  public static final int FOREVER = -1;

  /** This element with another home and version. */
  public ElementDescription at(int registrar, long newVersion) {
    return new ElementDescription(id, registrar, lifeSeconds, user, policy, control, Optional.of(newVersion),
        occupancy);
  }
}
