package io.rns.api;

/** What to do with a request that the contacted server cannot answer because it is not the primary or lags behind. */
public enum Routing {
  /** The server forwards the request to the primary. */
  FORWARD,
  /**
   * The server returns the address of the primary ({@link Answer.Referred}); the client contacts it.
   */
  REFER,
  /** The server refuses the request: another server forwarded it, and requests are forwarded at most once. */
  HERE
}
