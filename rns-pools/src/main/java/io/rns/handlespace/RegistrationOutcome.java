package io.rns.handlespace;

import io.rns.pool.PolicyType;

/** The answer to a registration or re-registration. */
public sealed interface RegistrationOutcome {
  /**
   * A new element.
   *
   * @param element as it is now
   */
  record Registered(RegisteredElement element) implements RegistrationOutcome {}

  /**
   * A known element.
   *
   * @param element as it is now
   * @param before as it was; its home may have been another registrar
   */
  record Renewed(RegisteredElement element, RegisteredElement before) implements RegistrationOutcome {}

  /**
   * The pool has another policy; nothing was changed. RFC 5354 cause 5.
   *
   * @param policy the pool's
   */
  record OtherPolicy(PolicyType policy) implements RegistrationOutcome {}

  /**
   * Another element has the id: the one that is known shares no address with this. Nothing was changed; choose another
   * id. RFC 5354 cause 4.
   *
   * @param known who has it
   */
  record IdTaken(RegisteredElement known) implements RegistrationOutcome {}

  /**
   * A bound of the settings is reached; nothing was changed. RFC 5354 cause 6.
   *
   * @param what pools, elements, or elements of the pool
   * @param limit how many there may be
   */
  record Full(String what, int limit) implements RegistrationOutcome {}

  /** The root is a directory and cannot be a pool. RFC 5354 cause 3. */
  record NoHandle() implements RegistrationOutcome {}
}
