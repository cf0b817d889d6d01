package io.rns.pool;

/** What a policy orders. */
public interface Candidate {
  /** Where it stands. */
  SelectionState standing();

  /** Renewed when it is selected, growing: of equals the one comes first whose turn was longest ago. */
  long sequence();
}
