package io.rns.identity;

import io.rns.api.Caller;
import java.time.Instant;

/** What came of the verification of a credential. */
sealed interface Verification {
  /**
   * The credential is valid.
   *
   * @param until when it has to be verified again
   */
  record Valid(Caller caller, Instant until) implements Verification {}

  /**
   * It is not.
   *
   * @param reason for the client; names no secret
   */
  record Invalid(String reason) implements Verification {}

  /**
   * It cannot be verified at the moment.
   *
   * @param busy whether there are too many at a time, rather than a part of the service missing
   */
  record Undecided(boolean busy, String reason) implements Verification {}
}
