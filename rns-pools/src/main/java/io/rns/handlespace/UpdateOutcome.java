package io.rns.handlespace;

import io.rns.pool.PolicyType;

/** The outcome of an update from another registrar. */
public sealed interface UpdateOutcome {
  /** The element was added. */
  record Added() implements UpdateOutcome {}

  /**
   * The element was replaced by a newer or equal state.
   *
   * @param before its previous state
   */
  record Replaced(RegisteredElement before) implements UpdateOutcome {}

  /**
   * The element was removed.
   *
   * @param element its last state
   */
  record Removed(RegisteredElement element) implements UpdateOutcome {}

  /**
   * The update is older than the known state; nothing was changed.
   *
   * @param known the newer state
   */
  record Stale(RegisteredElement known) implements UpdateOutcome {}

  /** The element to be removed is unknown. */
  record Unknown() implements UpdateOutcome {}

  /**
   * The pool has another policy here; nothing was changed. Two registrars created the pool concurrently.
   *
   * @param policy the policy of the pool
   */
  record OtherPolicy(PolicyType policy) implements UpdateOutcome {}

  /**
   * A limit of the settings is reached; nothing was changed.
   *
   * @param what pools, elements, elements of the pool, or bytes
   * @param limit the limit
   * @param value what there would be
   */
  record Full(String what, long limit, long value) implements UpdateOutcome {}

  /** The root is a directory and cannot be a pool. */
  record NoHandle() implements UpdateOutcome {}
}
