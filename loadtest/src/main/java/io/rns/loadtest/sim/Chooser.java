package io.rns.loadtest.sim;

import io.rns.handlespace.ResolutionOutcome.Selected;
import java.util.List;
import java.util.OptionalInt;

/** How a user chooses among the elements it has been told of. Elements are numbered from 0. */
interface Chooser {
  /** An element that is still known; empty if the registrar has to be asked. */
  OptionalInt known();

  /**
   * One of those that the registrar has just named, or of those still known.
   *
   * @param named the best first; none if none can be used now
   * @param asOfMillis to which moment the reports of the elements belong
   */
  OptionalInt learn(List<Selected> named, long asOfMillis);

  /** It had no room; returns whether another one is to be tried without waiting. */
  boolean rejected(int element);

  /** One that looks at loads only learns nothing from this, as from the following. */
  default void failed(int element) {}

  default void served(int element) {}

  /** A request is over: the next one begins with all elements again. */
  default void over() {}
}
