package io.rns.replication.simulation;

/** A history that must not happen. */
final class InvariantViolated extends Error {
  private static final long serialVersionUID = 1L;

  /** What is broken. */
  enum Kind {
    /** No acknowledged write is lost, no epoch has two primaries, no read goes back. */
    SAFETY,
    /** Once all is well again there is a primary. */
    PROGRESS,
    /** There is none, since each could lack an acknowledged write. A group may have to wait for an operator then. */
    DURABLE_PROGRESS
  }

  private final Kind broken;

  InvariantViolated(Kind broken, String what) {
    super(what, null, false, false);
    this.broken = broken;
  }

  Kind broken() {
    return broken;
  }
}
