package io.rns.referral;

import io.rns.api.Position;
import java.util.Optional;

/**
 * What a call needs of a server.
 *
 * @param primary whether only the primary can answer: a write, or a read of all that anybody was told
 * @param seen what a read must see; empty if anything is good enough
 * @param seenMillis how long ago the client has learnt of that
 * @param site where the client is
 */
public record Wish(boolean primary, Optional<Position> seen, long seenMillis, Site site) {
  /** A read that has seen nothing. */
  public static Wish read(Site site) {
    return new Wish(false, Optional.empty(), 0, site);
  }

  /** A write. */
  public static Wish write(Site site) {
    return new Wish(true, Optional.empty(), 0, site);
  }
}
