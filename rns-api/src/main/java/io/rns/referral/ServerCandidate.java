package io.rns.referral;

/**
 * A server that might be asked.
 *
 * @param server what it tells, or another tells of it
 * @param told whether a server has told that; otherwise only its address is known
 * @param experience what the client has seen of it
 * @param usable whether the client can ask it: it has a proper address, and is not one of too many
 */
public record ServerCandidate(Announcement server, boolean told, Experience experience, boolean usable) {
  /** One that can be asked. */
  public ServerCandidate(Announcement server, boolean told, Experience experience) {
    this(server, told, experience, true);
  }

  /** One that is told of, but that this client does not ask. */
  public static ServerCandidate unused(Announcement server) {
    return new ServerCandidate(server, true, Experience.NONE, false);
  }
}
