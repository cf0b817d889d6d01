package io.rns.handlespace;

/** The outcome of a deregistration; in either case the element is no longer registered. */
public sealed interface DeregistrationOutcome {
  /**
   * The element was removed, and its pool if it was the last.
   *
   * @param element its last state
   */
  record Removed(RegisteredElement element) implements DeregistrationOutcome {}

  /** The element was not registered. */
  record NotRegistered() implements DeregistrationOutcome {}
}
