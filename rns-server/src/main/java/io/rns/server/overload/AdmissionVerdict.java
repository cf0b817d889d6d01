package io.rns.server.overload;

/** What becomes of a request that wants a place. */
sealed interface AdmissionVerdict {
  /** It has one. */
  record Admitted() implements AdmissionVerdict {}

  /**
   * It has none.
   *
   * @param retryMillis when to come back
   */
  record Rejected(long retryMillis) implements AdmissionVerdict {}
}
