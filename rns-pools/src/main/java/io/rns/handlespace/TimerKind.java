package io.rns.handlespace;

/** The next timer of an element; each element has at most one. */
enum TimerKind {
  /** Its home sends a keep-alive. */
  KEEP_ALIVE,
  /** The answer to the keep-alive is overdue. */
  KEEP_ALIVE_TIMEOUT,
  /** Its registration ends. */
  EXPIRY
}
