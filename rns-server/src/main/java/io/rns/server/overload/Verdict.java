package io.rns.server.overload;

/** What becomes of a request that wants a place. */
sealed interface Verdict {
  /** It has one. */
  record Admitted() implements Verdict {}

  /**
   * It has none.
   *
   * @param retryMillis when to come back
   */
  record Rejected(long retryMillis) implements Verdict {}
}
