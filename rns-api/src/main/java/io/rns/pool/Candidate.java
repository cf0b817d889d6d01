package io.rns.pool;

/** An element that a policy orders. */
public interface Candidate {
  /** The selection state. */
  SelectionState standing();

  /** A growing number, renewed at each selection: among equals, the element selected longest ago comes first. */
  long sequence();
}
