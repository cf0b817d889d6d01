package io.rns.client;

/** Which server of a group a client asks. */
public enum Selection {
  /**
   * The first one that was named, as long as it answers; then the next one, which is then kept. The client asks no
   * servers but those, except where one refers it to the primary.
   */
  NAMED,
  /**
   * For each call the best of all servers that the named ones report: a server that answers, has what the session has
   * seen, suits (writes: the primary), is near ({@link RnsClient.Builder#site}), and of these the better of two by the
   * client's calls under way times the round trip that it has measured there.
   */
  NEAREST
}
