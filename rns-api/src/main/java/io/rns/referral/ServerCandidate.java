package io.rns.referral;

/**
 * A server that a client may contact.
 *
 * @param server the announcement of the server, or of another server about it
 * @param told whether the announcement came from a server; otherwise only the address is known
 * @param experience the client's own observations
 * @param usable whether the client can contact it: it has a valid address, HTTPS where the client uses that, and is
 *        within the maximum number of servers
 */
public record ServerCandidate(Announcement server, boolean told, Experience experience, boolean usable) {
  /** A usable server. */
  public ServerCandidate(Announcement server, boolean told, Experience experience) {
    this(server, told, experience, true);
  }

  /** A reported server that this client does not contact. */
  public static ServerCandidate unused(Announcement server) {
    return new ServerCandidate(server, true, Experience.NONE, false);
  }
}
