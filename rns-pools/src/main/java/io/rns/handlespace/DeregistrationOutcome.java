package io.rns.handlespace;

/** The answer to a deregistration; each means that the element is not registered now. */
public sealed interface DeregistrationOutcome {
  /**
   * It was removed, and its pool with it if it was the last.
   *
   * @param element as it was
   */
  record Removed(RegisteredElement element) implements DeregistrationOutcome {}

  /** It was not registered. */
  record NotRegistered() implements DeregistrationOutcome {}
}
