package io.rns.front;

import io.rns.error.RnsError;

/** What was found out about the certificates of a client. */
sealed interface CertificateCaller {
  /**
   * Who it is, or why its certificates are refused: servers are told either.
   *
   * @param text for them
   * @param generation of what that depends on
   * @param untilMillis when it has to be found out again
   */
  record Decided(String text, long generation, long untilMillis) implements CertificateCaller {}

  /** It cannot be found out now. */
  record Undecided(RnsError error, String reason) implements CertificateCaller {}
}
