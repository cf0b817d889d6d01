package io.rns.handlespace;

/** Something that time brought. */
public sealed interface TimerEvent {
  /** Which element, as it is or was. */
  TableEntry entry();

  /**
   * A keep-alive is to be sent to the element; the answer is to be told.
   *
   * @param entry the element
   */
  record KeepAliveDue(TableEntry entry) implements TimerEvent {}

  /**
   * The element did not answer a keep-alive in time and was removed.
   *
   * @param entry the element as it was
   */
  record KeepAliveMissed(TableEntry entry) implements TimerEvent {}

  /**
   * The registration was not renewed within its lifetime and the element was removed.
   *
   * @param entry the element as it was
   */
  record LifetimeExpired(TableEntry entry) implements TimerEvent {}
}
