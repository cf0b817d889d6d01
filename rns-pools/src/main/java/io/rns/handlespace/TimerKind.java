package io.rns.handlespace;

/** What is to happen next to an element; exactly one thing at a time. */
enum TimerKind {
  /** Its home asks whether it lives. */
  KEEP_ALIVE,
  /** Its home has waited long enough for the answer. */
  KEEP_ALIVE_TIMEOUT,
  /** Its registration ends. */
  EXPIRY
}
