package io.rns.replication.simulation;

/** Ends a thread of a process that was killed. Production code handles exceptions, not this. */
final class ProcessKilled extends Error {
  private static final long serialVersionUID = 1L;

  ProcessKilled() {
    super("the process was killed", null, false, false);
  }
}
