package io.rns.referral;

import io.rns.api.Position;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;

/**
 * What a server tells of itself, so that clients can choose.
 *
 * @param url its address, {@code http://host:8080/rns}
 * @param name for people
 * @param role what it does now
 * @param site where it is
 * @param capacity what it can do at a time, in any unit that is the same for all servers of the group; 1 or more
 * @param load how much of that is used, in percent, 0 to 100
 * @param lagMillis how long changes take to be seen there: nearly all of the last minute took no longer; 0 at the
 *        primary
 * @param position what its reads see; empty if it serves none
 */
public record Announcement(
    String url, String name, ServerRole role, Site site, long capacity, int load, long lagMillis,
    Optional<Position> position) {
  /** Length of an address or a name, at most. */
  public static final int MOST_CHARS = 2_000;

  private static final int MOST_LOAD = 100;

  /**
   * Checks the bounds.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} or {@link RnsError#INVALID_REQUEST}
   */
  public Announcement {
    Limits.check("the address of a server", url.length(), MOST_CHARS, "characters");
    Limits.check("the name of a server", name.length(), MOST_CHARS, "characters");
    if (capacity < 1 || load < 0 || load > MOST_LOAD || lagMillis < 0) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "a server announces capacity " + capacity + ", load " + load + " and lag " + lagMillis
              + "; one is out of bounds");
    }
  }

  /** A server that does not answer, of which only the address and the name are known. */
  public static Announcement unreachable(String url, String name) {
    return new Announcement(url, name, ServerRole.OUT, Site.NONE, 1, 0, 0, Optional.empty());
  }

  /** Whether it answers anything. */
  public boolean living() {
    return role != ServerRole.OUT;
  }

  /** The capacity that is free, at least a twentieth of all: a load is old when it is read. */
  double freeCapacity() {
    return capacity * Math.max(5, MOST_LOAD - load) / 100.0;
  }
}
