package io.rns.handlespace;

/** The outcome of a user's report that an element is unreachable. */
public sealed interface UnreachableOutcome {
  /**
   * The report was counted, and a keep-alive of the element is due at once.
   *
   * @param reports how many have reported it since it registered or answered a keep-alive
   */
  record Counted(int reports) implements UnreachableOutcome {}

  /**
   * The number of reporters exceeded the limit: the element was removed.
   *
   * @param element its last state
   */
  record Removed(RegisteredElement element) implements UnreachableOutcome {}

  /**
   * Another registrar is the home of the element and must be informed.
   *
   * @param home its id, unsigned
   */
  record OtherHome(int home) implements UnreachableOutcome {}

  /** The element is unknown. */
  record Unknown() implements UnreachableOutcome {}
}
