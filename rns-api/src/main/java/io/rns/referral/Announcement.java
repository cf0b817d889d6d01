package io.rns.referral;

import io.rns.api.Position;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;

/**
 * The state a server publishes so that clients can choose among servers.
 *
 * @param url its address, {@code http://host:8080/rns}
 * @param name its display name
 * @param role its current role
 * @param site its site
 * @param capacity the work it can do concurrently, in any unit shared by all servers of the group; 1 or more
 * @param load the used part of the capacity, in percent, 0 to 100
 * @param lagMillis the replication lag in ms: an upper bound for nearly all changes of the last minute; 0 at the
 *        primary
 * @param position the position its reads reflect; empty if it serves no reads
 */
public record Announcement(
    String url, String name, ServerRole role, Site site, long capacity, int load, long lagMillis,
    Optional<Position> position) {
  /** Maximum length of an address or a name, in characters. */
  public static final int MOST_CHARS = 2_000;

  private static final int MOST_LOAD = 100;

  /**
   * Checks the limits.
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

  /** An unreachable server, known by address and name only. */
  public static Announcement unreachable(String url, String name) {
    return new Announcement(url, name, ServerRole.OUT, Site.NONE, 1, 0, 0, Optional.empty());
  }

  /** Whether the server answers requests of any kind. */
  public boolean living() {
    return role != ServerRole.OUT;
  }

  /** The free capacity, at least 1/20 of the total: a reported load is already out of date when it is read. */
  double freeCapacity() {
    return capacity * Math.max(5, MOST_LOAD - load) / 100.0;
  }
}
