package io.rns.handlespace;

/** A timer event. */
public sealed interface TimerEvent {
  /** The element, in its current or last state. */
  TableEntry entry();

  /**
   * A keep-alive must be sent to the element, and its answer passed to {@link Handlespace#acknowledge}.
   *
   * @param entry the element
   */
  record KeepAliveDue(TableEntry entry) implements TimerEvent {}

  /**
   * The element did not answer a keep-alive in time and was removed.
   *
   * @param entry its last state
   */
  record KeepAliveMissed(TableEntry entry) implements TimerEvent {}

  /**
   * The registration was not renewed within its lifetime and the element was removed.
   *
   * @param entry its last state
   */
  record LifetimeExpired(TableEntry entry) implements TimerEvent {}
}
