package io.rns.rserpool;

import io.rns.pool.Occupancy;
import java.util.Optional;

/**
 * A pool element (RFC 5354, section 3.10), with two things of ours that others skip.
 *
 * @param id unsigned
 * @param home the registrar that watches over it, unsigned; 0 in a registration if the element does not know
 * @param lifeSeconds how long the registration holds; {@link #FOREVER} has no end
 * @param user where users reach it
 * @param policy what it tells for its selection
 * @param control where registrars reach it; without, only on the connection that it keeps
 * @param version of our registrars: of two states of an element the higher is newer; 0 or more
 * @param occupancy of our policies: what it holds and takes
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
  /** A life without end. */
  public static final int FOREVER = -1;

  /** The same as its registrar knows it. */
  public ElementDescription at(int registrar, long newVersion) {
    return new ElementDescription(id, registrar, lifeSeconds, user, policy, control, Optional.of(newVersion),
        occupancy);
  }
}
