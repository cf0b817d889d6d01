package io.rns.client.pool;

/**
 * Passing time and what is to be done later, as a parameter so that tests do not wait. Safe for use by many threads.
 */
interface Time {
  /** Milliseconds that only mean something against others; they never go back. */
  long millis();

  /** Waits. */
  void pause(long millis) throws InterruptedException;

  /**
   * Does something later; several such things may be done at the same time.
   *
   * @return cancels it if it is not due yet
   */
  Runnable after(long millis, Runnable task);
}
