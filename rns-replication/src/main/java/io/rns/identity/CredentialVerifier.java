package io.rns.identity;

/** One method of proving who a caller is. Thread-safe. */
interface CredentialVerifier {
  /** Whether a credential is of this method; the first verifier that says so decides. */
  boolean accepts(Credential credential);

  /**
   * Verifies a credential of this method; may take time.
   *
   * @param origin where it comes from, whose share of the time it takes
   */
  Verification verify(Credential credential, String origin);

  /** Changes whenever a credential that was valid may no longer be; must cost little. */
  long generation();
}
