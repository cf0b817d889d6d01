package io.rns.identity;

/** One method of proving who a caller is. Thread-safe. */
interface CredentialVerifier {
  /** Whether a credential is of this method; the first verifier that says so decides. */
  boolean accepts(Credential credential);

  /** Verifies a credential of this method; may take time. */
  Verification verify(Credential credential);

  /** Changes whenever a credential that was valid may no longer be; must cost little. */
  long generation();
}
