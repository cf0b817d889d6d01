package io.rns.api;

/**
 * What becomes of a request that the server that was asked cannot answer, because it is not the primary or lags behind.
 */
public enum Routing {
  /** The server sees to it that the primary answers. */
  FORWARD,
  /** The caller is told who the primary is ({@link io.rns.error.RnsException#referral}) and goes there. */
  REFER,
  /** It is refused: it comes from a server that forwarded it, and is forwarded once only. */
  HERE
}
