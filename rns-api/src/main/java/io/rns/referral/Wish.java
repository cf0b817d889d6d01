package io.rns.referral;

import io.rns.api.Position;
import java.util.Optional;

/**
 * The requirements of a call on a server.
 *
 * @param primary whether only the primary can answer: a write, or a read with consistency {@code primary}
 * @param seen the position a read must include; empty if any will do
 * @param seenMillis how long ago the client received that position, in ms
 * @param site the site of the client
 */
public record Wish(boolean primary, Optional<Position> seen, long seenMillis, Site site) {
  /** A read without a required position. */
  public static Wish read(Site site) {
    return new Wish(false, Optional.empty(), 0, site);
  }

  public static Wish write(Site site) {
    return new Wish(true, Optional.empty(), 0, site);
  }
}
