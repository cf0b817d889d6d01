package io.rns.replication.simulation;

/** A history that must not happen. */
final class InvariantViolated extends Error {
  private static final long serialVersionUID = 1L;

  InvariantViolated(String what) {
    super(what, null, false, false);
  }
}
