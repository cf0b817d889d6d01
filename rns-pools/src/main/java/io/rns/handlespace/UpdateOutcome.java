package io.rns.handlespace;

import io.rns.pool.PolicyType;

/** What came of the news of another registrar. */
public sealed interface UpdateOutcome {
  /** An element became known. */
  record Added() implements UpdateOutcome {}

  /**
   * An element is known newly, or again as it was.
   *
   * @param before as it was
   */
  record Replaced(RegisteredElement before) implements UpdateOutcome {}

  /**
   * An element was removed.
   *
   * @param element as it was
   */
  record Removed(RegisteredElement element) implements UpdateOutcome {}

  /**
   * The news are older than what is known; nothing was changed.
   *
   * @param known the newer
   */
  record Stale(RegisteredElement known) implements UpdateOutcome {}

  /** The element to be removed is not known. */
  record Unknown() implements UpdateOutcome {}

  /**
   * The pool has another policy here; nothing was changed. Two registrars began the pool at once.
   *
   * @param policy the pool's
   */
  record OtherPolicy(PolicyType policy) implements UpdateOutcome {}

  /**
   * A bound of the settings is reached; nothing was changed.
   *
   * @param what pools, elements, or elements of the pool
   * @param limit how many there may be
   */
  record Full(String what, int limit) implements UpdateOutcome {}

  /** The root is a directory and cannot be a pool. */
  record NoHandle() implements UpdateOutcome {}
}
