package io.rns.handlespace;

/** What came of a user's report that an element cannot be reached. */
public sealed interface UnreachableOutcome {
  /**
   * It was counted, and a keep-alive of the element is due at once.
   *
   * @param reports how many there are since its last registration
   */
  record Counted(int reports) implements UnreachableOutcome {}

  /**
   * It was one too many: the element was removed.
   *
   * @param element as it was
   */
  record Removed(RegisteredElement element) implements UnreachableOutcome {}

  /**
   * Another registrar watches over the element: it has to know.
   *
   * @param home its id, unsigned
   */
  record OtherHome(int home) implements UnreachableOutcome {}

  /** No such element is known. */
  record Unknown() implements UnreachableOutcome {}
}
