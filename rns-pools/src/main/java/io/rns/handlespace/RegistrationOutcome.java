package io.rns.handlespace;

import io.rns.pool.PolicyType;

/** The outcome of a registration or re-registration. */
public sealed interface RegistrationOutcome {
  /**
   * A new element was registered.
   *
   * @param element its state
   */
  record Registered(RegisteredElement element) implements RegistrationOutcome {}

  /**
   * A known element was re-registered.
   *
   * @param element its new state
   * @param before its previous state; its home may have been another registrar
   */
  record Renewed(RegisteredElement element, RegisteredElement before) implements RegistrationOutcome {}

  /**
   * The pool has another policy; nothing was changed. RFC 5354 cause 5.
   *
   * @param policy the policy of the pool
   */
  record OtherPolicy(PolicyType policy) implements RegistrationOutcome {}

  /**
   * Another element has the id: the known one shares no endpoint address with the registration. Nothing was changed;
   * the element must choose another id. RFC 5354 cause 4.
   *
   * @param known the element with the id
   */
  record IdTaken(RegisteredElement known) implements RegistrationOutcome {}

  /**
   * A limit of the settings is reached; nothing was changed. RFC 5354 cause 6.
   *
   * @param what pools, elements, elements of the pool, or bytes
   * @param limit the limit
   * @param value what there would be
   */
  record Full(String what, long limit, long value) implements RegistrationOutcome {}

  /** The root is a directory and cannot be a pool. RFC 5354 cause 3. */
  record NoHandle() implements RegistrationOutcome {}
}
