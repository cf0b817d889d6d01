package io.rns.referral;

import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.OptionalInt;

/**
 * The servers for a part of the tree, as reported by a server.
 *
 * @param prefix the directory whose content these servers have, without the parts below it; its own entry is in the
 *        part above
 * @param epoch the number of changes of primary in the group, as far as the reporting server knows
 * @param ttlMillis how long this may be used, in ms; more than 0
 * @param servers the servers, in no particular order; up to {@value #MOST_SERVERS}
 */
public record Referral(RnsPath prefix, int epoch, long ttlMillis, List<Announcement> servers) {
  /** Maximum number of servers. */
  public static final int MOST_SERVERS = 100;

  /** Maximum time to live in ms: one day. */
  public static final long MOST_TTL_MILLIS = 86_400_000;

  /**
   * Copies the servers and checks the limits.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} or {@link RnsError#INVALID_REQUEST}
   */
  public Referral {
    servers = List.copyOf(servers);
    Limits.check("a referral", servers.size(), MOST_SERVERS, "servers");
    if (epoch < 0 || ttlMillis < 1 || ttlMillis > MOST_TTL_MILLIS) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "a referral has epoch " + epoch + " and time to live " + ttlMillis + " ms; one is out of bounds");
    }
  }

  /** The server group of the servers; empty if none of them serves reads. */
  public OptionalInt group() {
    return servers.stream().flatMap(server -> server.position().stream()).mapToInt(Position::group).findFirst();
  }
}
